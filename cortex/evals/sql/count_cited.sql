-- count_cited.sql: an answer cited this record, which it therefore found as well.
insert into usage (source, ref, cited, last_cited_at, last_retrieved_at) values (:source, :ref, 1, :now, :now)
on conflict (source, ref) do update set
    cited = cited + 1, last_cited_at = excluded.last_cited_at, last_retrieved_at = excluded.last_retrieved_at;
