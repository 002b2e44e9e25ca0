package io.penstock.session.redis;

import static io.penstock.session.redis.RedisSessionStore.digest;
import static io.penstock.session.redis.RedisSessionStore.number;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Changes the id of a session in a Redis cluster. In a cluster, no script can change the former key and the new key in one step. So the
 * change has five steps:
 *
 * <pre>
 * copy     former  reads the session
 * arrive   new     writes a copy of the session; the copy expires, and no server finds it
 * save     new     applies the change to the copy
 * leave    former  deletes the session if it has the copied version; otherwise, the steps begin again
 * settle   new     makes the copy a session that servers find
 * </pre>
 *
 * <p>At each moment, at most one of the two ids finds the session. If this server fails before {@code leave}, the session keeps its former
 * id. If this server fails after {@code leave}, no client knows the new id. In this case, the session has ended, and no listener is called.
 * The step {@code leave} stores a note at the former key. Because of the note, any server that loads the new id can run {@code settle}.
 *
 * <p>Thread: any.
 */
final class ClusterRename {
    private static final int ATTEMPTS = 10;
    private static final Duration COPY_LASTS = Duration.ofMinutes(1);

    /** The time limit from {@code copy} to {@code leave}. With a longer time, the copy could expire before {@code settle}. */
    private static final Duration LEAVES_WITHIN = COPY_LASTS.dividedBy(3);

    private static final Duration NOTE_LASTS = Duration.ofMinutes(5);

    private final Redis redis;
    private final SessionNames names;

    ClusterRename(Redis redis, SessionNames names) {
        this.redis = redis;
        this.names = names;
    }

    OptionalLong save(SaveCall first) throws IOException {
        SessionChange change = first.change();
        SessionKey former = change.former();
        SessionKey key = change.key();
        for (int i = 0; i < ATTEMPTS; i++) {
            Reply copy = run(Script.COPY, former, List.of(names.session(former)), List.of(digest(key)));
            if (!copy.is("here")) {
                return OptionalLong.empty();
            }
            long begun = System.nanoTime();
            ChangeMarks copied = new ChangeMarks(Long.parseLong(copy.text(1)), copy.bytes(2));
            List<byte[]> arguments = first.replacing(copied).arguments("arriving");
            OptionalLong version = RedisSessionStore.saved(change, arrive(former, key, copy));
            if (version.isPresent()) {
                version = RedisSessionStore.saved(change, run(Script.SAVE, key, keys(key), arguments));
            }
            if (version.isEmpty()) {
                throw new IOException("the session " + key + " was removed from Redis while its id was changed");
            }
            if (System.nanoTime() - begun > LEAVES_WITHIN.toNanos()) {
                throw new IOException("the change of the id of the session " + former + " takes too long");
            }
            Reply left = leave(former, key, copy);
            if (left.is("moved")) {
                run(Script.SETTLE, key, keys(key), List.of());
                return version;
            }
            if (!left.is("changed")) {
                return OptionalLong.empty();
            }
        }
        throw new IOException("the session " + former + " changes so often that its id cannot be changed");
    }

    private Reply arrive(SessionKey former, SessionKey key, Reply copy) throws IOException {
        List<byte[]> arguments = new ArrayList<>();
        arguments.add(digest(former));
        arguments.add(number(COPY_LASTS.toMillis()));
        arguments.add(copy.bytes(1));
        arguments.addAll(copy.rest(3));
        return run(Script.ARRIVE, key, List.of(names.session(key)), arguments);
    }

    private Reply leave(SessionKey former, SessionKey key, Reply copy) throws IOException {
        return run(
                Script.LEAVE,
                former,
                keys(former),
                List.of(copy.bytes(1), copy.bytes(2), digest(key), number(NOTE_LASTS.toMillis())));
    }

    /** Completes an id change that another server has begun. Returns whether the session has the new id. */
    boolean settle(SessionKey former, SessionKey key) throws IOException {
        Reply copy = run(Script.COPY, former, List.of(names.session(former)), List.of(digest(key)));
        return copy.is("moved") && run(Script.SETTLE, key, keys(key), List.of()).is("saved");
    }

    private List<byte[]> keys(SessionKey key) {
        return List.of(names.session(key), names.index(key));
    }

    private Reply run(Script script, SessionKey key, List<byte[]> keys, List<byte[]> arguments) throws IOException {
        return Reply.of(key, redis.run(script, keys, arguments));
    }
}
