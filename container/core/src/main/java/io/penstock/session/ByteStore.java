package io.penstock.session;

import java.io.IOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Where the sessions of one context outlive the server, as bytes that the store need not understand.
 *
 * <p>Thread: workers, and threads of the application that write responses; many at once, but for one id one at a time, except
 * {@link #delete}; never a reactor.
 */
public interface ByteStore {

    /** The session of that id, or null. */
    @Nullable
    StoredSession load(String id) throws IOException;

    /**
     * Keeps the session in the place of its former version.
     *
     * @throws StaleSessionException if what is kept is not the version before
     */
    void save(StoredSession session) throws IOException;

    /** Notes the start of the latest request of a session that has not changed, in milliseconds since 1970. */
    void touch(String id, long accessed) throws IOException;

    /** Forgets the session; nothing happens where there is none. */
    void delete(String id) throws IOException;

    /** Ids of the sessions whose time is over at {@code now}, in milliseconds since 1970; none is deleted by this call. */
    Collection<String> expired(long now) throws IOException;

    /** How many sessions are kept; 0 where that is not known. */
    int size();

    /** Whether only this server uses the store, so that what it remembers of a session is what is stored. */
    boolean isOwn();
}
