-- count_fewer.sql: keep how many said the same before, for what they are fewer by afterwards.
update temp.recounting set before = said
