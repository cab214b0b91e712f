-- most_cited.sql: the records that answers cited most often.
select source, ref, cited, last_cited_at from usage
where cited > 0
order by cited desc, last_cited_at desc, ref
limit :limit;
