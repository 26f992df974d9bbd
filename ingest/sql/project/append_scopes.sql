INSERT INTO scopes SELECT incoming.* FROM incoming_scopes() AS incoming ANTI JOIN scopes USING (scope);
