-- share_facts_sizes.sql: how many tokens each of the facts of these sources has, as facts_fts keeps it.
select size.sz
from facts
join facts_fts_docsize as size on size.id = facts.id
where facts.source_id in (select value from json_each(:sources));
