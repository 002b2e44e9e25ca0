package io.penstock.session.jdbc;

import io.penstock.store.SessionChange;
import java.io.IOException;
import java.sql.SQLException;
import java.util.OptionalLong;

/** Saves a change of a session in one atomic step. Thread: any. */
interface Saving {
    /**
     * Saves a change, as specified for {@link io.penstock.store.SessionStore#save}. Ends before the deadline of the call.
     *
     * @throws SQLException if the database fails, or if the change creates a session that exists already
     */
    OptionalLong save(Call call, String application, SessionChange change) throws SQLException, IOException;
}
