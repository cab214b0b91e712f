-- held_terms.sql: how many passages hold each of these stems; of those that few hold the index itself tells it.
select asked.value, coalesce(
    (select documents from term_frequencies where index_name = 'records_fts' and term = asked.value),
    (select doc from records_terms where term = asked.value)
)
from json_each(:terms) asked
