-- What is referred to and is not there.
SELECT
    (SELECT count(*) FROM log ANTI JOIN contexts ON contexts.number = log.context)::UBIGINT,
    (SELECT count(*) FROM log ANTI JOIN wordings ON wordings.number = log.wording)::UBIGINT,
    (SELECT count(*) FROM log ANTI JOIN details ON details.number = log.detail)::UBIGINT,
    (SELECT count(*) FROM wordings ANTI JOIN forms ON forms.number = wordings.form)::UBIGINT;
