-- rename_in_tokens.sql: tokens that reach a source still do once it is called otherwise.
update tokens set sources = (select json_group_array(iif(value = :was, :name, value)) from json_each(tokens.sources))
where sources is not null and exists (select 1 from json_each(tokens.sources) where value = :was)
