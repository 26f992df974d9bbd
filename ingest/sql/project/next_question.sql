SELECT coalesce(max(number) + 1, 0)::UINTEGER FROM question_ids;
