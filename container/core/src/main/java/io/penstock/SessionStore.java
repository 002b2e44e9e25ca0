package io.penstock;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * Where the sessions of one application are between requests, if neither memory nor {@code session-dir} will do: a database, a cache
 * that several servers share. {@link Penstock.Builder#sessions} takes one for each application.
 *
 * <p>A session comes here as its last running request ends, and is fetched as its next one begins. Attributes are bytes that only the
 * server understands; of what it reads back it makes objects of the application's own classes and of plain data only.
 *
 * <p>Where several servers use one store, a load balancer should lead the requests of a session to one of them at a time: of two that
 * change it at once the second is told by an {@link IOException} of {@link #save}, and its change is lost.
 *
 * <p>Thread: workers, and threads of the application that write responses; many at once, also for one id; never one that moves bytes, so that
 * a method may wait. What it throws is
 * answered 500 by a load, and said in the log for everything else.
 */
public interface SessionStore {

    /** The session of that id, if there is one. Ids are the client's word. */
    Optional<Saved> load(String id) throws IOException;

    /**
     * Keeps the session in the place of the version before.
     *
     * @throws IOException also if what is kept is of another version than the one before {@code session}
     */
    void save(Saved session) throws IOException;

    /** Notes the start of the latest request of a session that has not changed. */
    void touch(String id, Instant accessed) throws IOException;

    /** Forgets the session; nothing happens where there is none. */
    void delete(String id) throws IOException;

    /**
     * Ids of sessions whose time is over: {@code accessed} and the interval, if it is above zero, have come to be before {@code now}.
     * None is deleted by this call: the application's listeners hear of each first. Called every few seconds by every server.
     */
    Collection<String> expired(Instant now) throws IOException;

    /**
     * A session at rest.
     *
     * @param version 1 when it is saved first, then one more each time
     * @param accessed when its latest request started
     * @param maxInactiveSeconds between requests, after which it is over; zero or less: never
     * @param attributes read-only; each call returns a view with its own position
     */
    record Saved(
            String id, long version, Instant created, Instant accessed, int maxInactiveSeconds, ByteBuffer attributes) {

        public Saved {
            attributes = attributes.asReadOnlyBuffer();
        }

        @Override
        public ByteBuffer attributes() {
            return attributes.duplicate();
        }
    }
}
