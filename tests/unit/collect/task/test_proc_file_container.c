/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The container of a task, from the paths that container engines create.
 */
#include "collect/task/proc_file.h"
#include "tap.h"

#define NUMBER "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER  "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define TASK   "0123456789abcdef0123456789abcdef"
#define GUID   "6f265890-5165-7fab-6b52-18d1f5ac0b2e"
#define BUILD  "pzcyjv2k5ej2ouqm1jfk9opua"
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
	{"/system.slice/containerd.service/kubepods-burstable-pod1_2.slice:cri-containerd:" NUMBER,
	 "containerd:0123456789ab"},
	{"/system.slice:docker:" NUMBER, "docker:0123456789ab"},
	{"/kubepods-pod1.slice:crio:" NUMBER, "cri-o:0123456789ab"},
	{"/k8s.io/" NUMBER, "containerd:0123456789ab"},
	{"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod1_2.slice/" NUMBER,
	 "kubernetes:0123456789ab"},
	{"/ecs/12345678-1234-1234-1234-123456789abc/" NUMBER, "ecs:0123456789ab"},
	{"/ecs/cluster/0123456789abcdef0123456789abcdef/" NUMBER, "ecs:0123456789ab"},
	{"/ecs/" TASK "/" TASK "-2574823563", "ecs:" TASK "-2574823563"},
	{"/ecstasks.slice/ecstasks-" TASK ".slice/docker-" NUMBER ".scope", "docker:0123456789ab"},
	{"/garden/" GUID, "garden:" GUID},
	{"/system.slice/garden.service/garden/good/6f265890-5165-7fab-6b52-18d1",
	 "garden:6f265890-5165-7fab-6b52-18d1"},
	{"/docker/buildkit/" BUILD, "buildkit:" BUILD},
	{"/system.slice/buildkit-" BUILD ".scope", "buildkit:" BUILD},
	{"/system.slice/docker-" BUILD ".scope", "buildkit:" BUILD},
	{USER "/app.slice/web.service/libpod-payload-" NUMBER, "podman:0123456789ab"},
	{USER "/user.slice/user-libpod_pod_" OTHER ".slice/libpod-" NUMBER ".scope/container",
	 "podman:0123456789ab"},
	/* Of nested containers, the outer one: only its name is known on this machine. */
	{"/docker/" NUMBER "/docker/" OTHER, "docker:0123456789ab"},
	{"/lxc.payload.a/system.slice/docker-" OTHER ".scope", "lxc:a"},
	/* Paths that are not of a container. */
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
	{"/system.slice:docker:", ""},
	{"/a:cri-containerd:" NUMBER "0", ""},
	{"/ecs/" TASK, ""},
	{"/ecs/" TASK "/" TASK "-", ""},
	{"/ecs/" TASK "/" TASK "-12x", ""},
	{"/" TASK "/" TASK "-12", ""},
	{"/garden/good", ""},
	{"/gardener/" GUID, ""},
	{"/docker/buildkit", ""},
	{USER "/app.slice/web.service/supervisor", ""},
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
