package io.penstock.session.jdbc;

import io.penstock.store.SessionChange;
import java.io.IOException;
import java.util.OptionalLong;

/** A way to make a change of a session in one atomic step. Thread: any. */
interface Saving {
    /**
     * As {@link io.penstock.store.SessionStore#save}.
     *
     * @throws SqlFailure.Duplicate if there is a session where one is to be created
     */
    OptionalLong save(String application, SessionChange change) throws IOException;
}
