-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- The programs that used most CPU, with how many processes they had and for how long they were seen.
--
--   tiptop --format csv -i -n 60 >tiptop.csv
--   sqlite3 :memory: '.import --csv tiptop.csv tiptop' '.read programs.sql'
.mode column
SELECT name,
       count(DISTINCT pid) AS processes,
       round(sum(interval_s * cpu / 100), 3) AS cpu_s,
       round(max(cpu + 0.0), 1) AS max_pct,
       count(*) AS refreshes
  FROM tiptop
 WHERE cpu <> ''                -- unknown is empty
 GROUP BY name
 ORDER BY cpu_s DESC
 LIMIT 20;
