SELECT to_json(result)::VARCHAR FROM result;
