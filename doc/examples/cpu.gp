# SPDX-License-Identifier: GPL-2.0-or-later
#
# %CPU of one process over time, as PNG.
#
#   tiptop --format csv -i -p 4711 --fields mono_s,cpu -n 60 >cpu.csv
#   gnuplot -e "input='cpu.csv'; output='cpu.png'" cpu.gp
set datafile separator comma
set datafile missing ''
set terminal png size 900,400
set output output
set xlabel 'seconds'
set ylabel '%CPU'
set yrange [0:]
stats input using 1 skip 1 nooutput
plot input using ($1 - STATS_min):2 skip 1 with linespoints notitle
