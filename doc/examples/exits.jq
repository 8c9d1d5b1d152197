# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tasks that have ended, with their final numbers: a line for each, with tabs between. What is not exact has its
# quality behind it.
#
#   tiptop --format json | jq -r -f exits.jq
select(.type == "exit")
| .quality as $quality
| [.time, .pid, .name]
  + (.values | to_entries | map("\(.key)=\(.value // "?")\(if $quality[.key] then " (" + $quality[.key] + ")" else "" end)"))
| @tsv
