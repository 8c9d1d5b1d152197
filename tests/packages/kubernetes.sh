#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/packages/kubernetes.sh [FOLDER] - the manifests of packaging/kubernetes/: their fields exist and have values that the
# API allows, by the schema in the npm package kubernetes-models; kustomize builds them; names, files, memory and options
# are those of doc/fleet.md and its unit; rights are the least. No cluster is needed.
# npm's packages are kept in FOLDER; without it, they are in $TMPDIR and removed. Prints TAP; TIPTOP is the program,
# builddir where tests/program/work is.
set -u
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=../program/lib.sh
. "$srcdir/tests/program/lib.sh"

for program in node npm; do
	command -v $program >/dev/null || skip_all "$program is not installed"
done
keep=${1:-$dir/keep}
modules=$keep/kubernetes
mkdir -p "$modules"
if [ ! -e "$modules/.made" ]; then
	(cd "$modules" && npm install --no-audit --no-fund --ignore-scripts --loglevel error --prefix . \
		kubernetes-models@4 js-yaml@4 typescript@5) >"$out" 2>"$err" ||
		skip_all "npm cannot install kubernetes-models: $(sed -n 's/^npm ERR! *//p; s/^npm error *//p' "$err" | sed -n 2p)"
	touch "$modules/.made"
fi
manifests=$srcdir/packaging/kubernetes
version=$(sed -n 's/^AC_INIT(\[tiptop\], \[\(.*\)\])/\1/p' "$srcdir/configure.ac")

# script FILE...: runs the JavaScript on standard input; load(FILE) reads a manifest.
script() {
	{
		cat <<-'JS'
			const fs = require('fs'), yaml = require('js-yaml');
			const load = file => yaml.load(fs.readFileSync(file, 'utf8'));
		JS
		cat
	} >"$modules/script.js"
	(cd "$modules" && NODE_PATH=$modules/node_modules node script.js "$@")
}

# --- the schema ---

# valid FILE: an object of a known kind. The validators of kubernetes-models check values and fields that are required;
# its types, for the compiler, fields that do not exist.
valid() {
	script "$1" >"$dir/kind" 2>"$err" <<-'JS' || return
		const object = load(process.argv[2]);
		const kinds = {...require('kubernetes-models/apps/v1'), ...require('kubernetes-models/v1')};
		new kinds[object.kind](object).validate();
		fs.writeFileSync('object.ts', `import {I${object.kind}} from "kubernetes-models/${object.apiVersion}";\n` +
			`export const object: I${object.kind} = ${JSON.stringify(object)};\n`);
	JS
	(cd "$modules" && node node_modules/typescript/bin/tsc --noEmit --strict --skipLibCheck --target es2020 \
		--moduleResolution node16 --module node16 object.ts) >"$out" 2>&1
}

# refused NAME SED-EXPRESSION: a test that the DaemonSet is not valid after this change.
refused() {
	sed "$2" "$manifests/daemonset.yaml" >"$dir/bad.yaml"
	! cmp -s "$manifests/daemonset.yaml" "$dir/bad.yaml" && ! valid "$dir/bad.yaml"
	ok "it would not be with $1" $?
}
for name in namespace daemonset; do
	valid "$manifests/$name.yaml"
	ok "$name.yaml is valid" $?
done
refused "a field that does not exist" 's/readOnlyRootFilesystem/readOnlyRootFileSystem/'
refused "a number that is a text" 's/runAsUser: 65532/runAsUser: nobody/'
refused "a field that is missing" '/^        - name: tiptop$/s/name/workingDir/'
refused "memory that is none" 's/memory: 128Mi/memory: much/'

kustomize=
if command -v kubectl >/dev/null && kubectl kustomize --help >/dev/null 2>&1; then
	kustomize="kubectl kustomize"
elif command -v kustomize >/dev/null; then
	kustomize="kustomize build"
fi
if [ "$kustomize" ]; then
	$kustomize "$manifests" >"$dir/built.yaml" 2>"$err"
	ok "kustomize builds them" $?
	is "with the version as the image's tag" "$(grep -c "image: tiptop:$version\$" "$dir/built.yaml")" 2
	mkdir "$dir/node" && cp "$manifests/node-exporter.patch.yaml" "$dir/node" && cat >"$dir/node/exporter.yaml" <<-'END'
		apiVersion: apps/v1
		kind: DaemonSet
		metadata: {name: node-exporter}
		spec:
		  selector: {matchLabels: {a: b}}
		  template:
		    metadata: {labels: {a: b}}
		    spec:
		      containers:
		        - {name: node-exporter, image: node-exporter, args: [--path.rootfs=/host], volumeMounts: [{name: root, mountPath: /host}]}
		      volumes: [{name: root, hostPath: {path: /}}]
	END
	cat >"$dir/node/kustomization.yaml" <<-'END'
		resources: [exporter.yaml]
		patches:
		  - path: node-exporter.patch.yaml
		    target: {kind: DaemonSet, name: node-exporter}
	END
	$kustomize "$dir/node" >"$dir/exporter.yaml" 2>"$err" && valid "$dir/exporter.yaml"
	ok "and the patch of node_exporter, which is valid then" $?
	is "it reads the folder" "$(grep -c 'textfile.directory=/var/lib/tiptop$' "$dir/exporter.yaml")" 1
else
	skip "kustomize builds them" "neither kubectl nor kustomize is installed"
fi

# --- what stands in several places ---

unit=$srcdir/doc/fleet/tiptop-metrics.service
script "$manifests" >"$dir/values" 2>"$err" <<-'JS'
	const folder = process.argv[2];
	const set = load(`${folder}/daemonset.yaml`), pod = set.spec.template.spec, [main] = pod.containers;
	const say = (name, value) => console.log(`${name}=${value}`);
	say('args', main.args.join(' '));
	say('memory', main.resources.limits.memory);
	say('cpu', main.resources.limits.cpu);
	say('stop', main.lifecycle.preStop.exec.command.join(' '));
	for (const volume of pod.volumes)
		say(volume.name, [volume.hostPath.path, ...[...pod.initContainers, main].flatMap(c => c.volumeMounts)
			.filter(m => m.name === volume.name).map(m => m.mountPath)].join(' '));
	say('hostPID', pod.hostPID);
	say('token', pod.automountServiceAccountToken);
	for (const c of [...pod.initContainers, main]) {
		const s = c.securityContext;
		say(`${c.name}.rights`, [s.runAsUser, s.readOnlyRootFilesystem, s.capabilities.drop, s.capabilities.add,
			s.seccompProfile.type, s.privileged || false].join(' '));
	}
	say('escalation', main.securityContext.allowPrivilegeEscalation);
	say('nonroot', main.securityContext.runAsNonRoot);
	say('tag', load(`${folder}/kustomization.yaml`).images[0].newTag);
	say('patch', load(`${folder}/node-exporter.patch.yaml`).map(p => JSON.stringify(p.value)).join(' '));
JS
# value NAME: a value of the manifests.
value() {
	sed -n "s/^$1=//p" "$dir/values"
}
is "the command is that of the unit" "/usr/bin/tiptop $(value args)" "$(sed -n 's/^ExecStart=//p' "$unit")"
is "and of doc/fleet.md" "$(grep -cxF "    tiptop $(value args)" "$srcdir/doc/fleet.md")" 1
is "memory is that of the unit" "$(value memory)" "$(sed -n 's/^MemoryMax=\(.*\)M$/\1Mi/p' "$unit")"
is "and of doc/fleet.md" "$(tr '\n' ' ' <"$srcdir/doc/fleet.md" | grep -c "the service may take $(value memory | sed 's/Mi$/ MB/')")" 1
is "a tenth of a CPU, too" "$(value cpu) $(sed -n 's/^CPUQuota=//p' "$unit")" "100m 10%"
is "the file is removed as the unit does it" "/bin/$(value stop)" "$(sed -n 's/^ExecStopPost=//p' "$unit")"
folder=$(sed -n 's/^ReadWritePaths=//p' "$unit")
is "the folder of the node is mounted in its place" "$(value metrics)" "$folder $folder $folder"
is "and in node_exporter" "$(value patch | grep -o "[^\"]*$folder\"" | sort | uniq -c | awk '{ print $1, $2 }' | paste -sd' ')" \
	"1 --collector.textfile.directory=$folder\" 2 $folder\""
is "the version is that of configure.ac" "$(value tag)" "$version"
is "the user is that of the image" "$(value tiptop.rights | cut -d ' ' -f 1)" \
	"$(sed -n 's/^USER \(.*\):.*/\1/p' "$srcdir/packaging/Containerfile")"

# --- rights ---

is "the tasks of the node are seen, and no API" "$(value hostPID) $(value token)" "true false"
is "an ordinary user, who cannot write to the image, counts" "$(value nonroot) $(value tiptop.rights)" \
	"true 65532 true ALL PERFMON RuntimeDefault false"
is "root only gives the folder away" "$(value folder.rights)" "0 true ALL CHOWN RuntimeDefault false"
# The reason for allowPrivilegeEscalation: the fields of capabilities are these, none of which is ambient.
is "the API has no ambient capabilities" \
	"$(sed -n 's/^ *"\{0,1\}\([a-z]*\)"\{0,1\}?:.*/\1/p' "$modules/node_modules/kubernetes-models/v1/Capabilities.d.ts" | sort -u | paste -sd' ')" \
	"add drop"
is "so its file gives them" "$(value escalation)" true
finish
