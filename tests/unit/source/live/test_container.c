/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which container a task is, by the paths that the engines make.
 */
#include "source/live/container.h"
#include "tap.h"

#define NUMBER "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER  "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define USER   "/user.slice/user-1000.slice/user@1000.service"

static const struct {
	const char *path, *container;
} cases[] = {
	{"/docker/" NUMBER, "docker:0123456789ab"},
	{"/system.slice/docker-" NUMBER ".scope", "docker:0123456789ab"},
	{"/system.slice/docker-" NUMBER ".scope/init", "docker:0123456789ab"},
	{"/machine.slice/libpod-" NUMBER ".scope/container", "podman:0123456789ab"},
	{USER "/user.slice/libpod-" NUMBER ".scope/container", "podman:0123456789ab"},
	{"/libpod_parent/libpod-" NUMBER, "podman:0123456789ab"},
	{"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1_2.slice/"
	 "cri-containerd-" NUMBER ".scope",
	 "containerd:0123456789ab"},
	{"/default/" NUMBER, "containerd:0123456789ab"},
	{"/system.slice/nerdctl-" NUMBER ".scope", "containerd:0123456789ab"},
	{"/kubepods.slice/kubepods-pod1.slice/crio-" NUMBER ".scope", "cri-o:0123456789ab"},
	{"/kubepods/besteffort/pod11-22/" NUMBER, "kubernetes:0123456789ab"},
	{"/lxc/web", "lxc:web"},
	{"/lxc/web/system.slice/cron.service", "lxc:web"},
	{"/lxc.payload/web/init.scope", "lxc:web"},
	{"/lxc.payload.my-web/init.scope", "lxc:my-web"},
	{"/machine.slice/systemd-nspawn@deb.service/payload/init.scope", "nspawn:deb"},
	{"/machine.slice/machine-my\\x2ddeb.scope/payload", "nspawn:my-deb"},
	/* Within another one, it is the outer one that this machine knows. */
	{"/docker/" NUMBER "/docker/" OTHER, "docker:0123456789ab"},
	{"/lxc.payload.a/system.slice/docker-" OTHER ".scope", "lxc:a"},
	/* In none. */
	{"/", ""},
	{"", ""},
	{"/user.slice/user-1000.slice/session-3.scope", ""},
	{"/system.slice/docker.service", ""},
	{"/docker/buildx", ""},
	{"/docker/" NUMBER "0", ""},
	{"/docker", ""},
	{"/system.slice/docker-.scope", ""},
	{"/machine.slice/libpod-conmon-" NUMBER ".scope", ""},
	{"/lxc.monitor.web", ""},
	{"/lxc.payload.", ""},
	{"/machine.slice/machine-qemu\\x2d1\\x2dwin.scope/libvirt/emulator", ""},
	{"/podcast/" OTHER "x", ""},
	{"/machine-.scope", ""},
};

int main(void)
{
	struct strbuf out;

	strbuf_init(&out);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		strbuf_reset(&out);
		tap_int(container_of_cgroup(cases[i].path, &out), cases[i].container[0] != '\0',
			"%s", cases[i].path);
		tap_str(out.text, cases[i].container, "is so called");
	}
	strbuf_done(&out);
	return tap_done();
}
