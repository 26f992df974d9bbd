SELECT session, session_id, session_kind, epoch_us(first_at), epoch_us(last_at), epoch_us(ended_at)
FROM session_facts
SEMI JOIN incoming_keys() ON key = session;
