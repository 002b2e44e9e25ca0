package io.penstock.deploy;

import io.penstock.session.MemorySessions;
import io.penstock.session.RestingSessions;
import io.penstock.session.SessionRoom;
import java.io.IOException;

/** Where the sessions of applications are between requests. Thread: any that deploys. */
public interface SessionKeeping {

    /** In memory, as many as there are. */
    SessionKeeping MEMORY = new SessionKeeping() {
        @Override
        public RestingSessions of(String contextPath, ClassLoader loader) {
            return new MemorySessions();
        }

        @Override
        public SessionRoom room() {
            return SessionRoom.unlimited();
        }
    };

    /**
     * Those of one application, as it is deployed.
     *
     * @param loader of the application, whose classes attributes may be of
     * @throws IOException if what is kept cannot be used
     */
    RestingSessions of(String contextPath, ClassLoader loader) throws IOException;

    /** For as many sessions as one application may have. */
    SessionRoom room();
}
