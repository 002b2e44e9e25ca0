package io.penstock.session.redis;

import static io.penstock.session.redis.RedisSessionStore.millis;
import static io.penstock.session.redis.RedisSessionStore.number;
import static io.penstock.session.redis.RedisSessionStore.text;

import io.penstock.store.SessionChange;
import io.penstock.store.StaleSessionException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One call of the script that saves a session ({@link Script#SAVE}). The call contains the version to replace, and the {@link ChangeMarks
 * mark} of that version. The script replaces only this version. So a call that reaches Redis late, after a time-out, does not replace a
 * newer version. The first call replaces the base version of the change. If another server has changed the session in the meantime, the
 * script returns the current version. The next call then replaces the current version.
 *
 * @param replaced the version to replace; 0 if the call creates the session
 * @param mark the mark of the replaced version; 0 means any mark
 * @param next the number of the new version. Usually, the number is {@code replaced} plus one. If Redis has lost the base version, the
 *     number is at least the base plus two. From this number, the server learns that other servers have changed the session
 */
record SaveCall(SessionChange change, RedisLocation.Conflict conflict, long replaced, long mark, long next) {

    static SaveCall first(SessionChange change, RedisLocation.Conflict conflict) {
        return new SaveCall(change, conflict, change.base(), change.baseMark(), change.base() + 1);
    }

    /**
     * Returns the call that replaces the current version.
     *
     * @throws StaleSessionException if this call creates a session; or if conflicts are refused and the current version is not a successor
     *     of the base version
     */
    SaveCall replacing(ChangeMarks there) throws StaleSessionException {
        if (change.base() == 0) {
            throw new StaleSessionException(there.version(), 0);
        }
        if (there.follow(change.base(), change.baseMark())) {
            return new SaveCall(change, conflict, there.version(), there.latest(), there.version() + 1);
        }
        if (conflict == RedisLocation.Conflict.REFUSE) {
            throw new StaleSessionException(there.version(), change.base());
        }
        return new SaveCall(
                change, conflict, there.version(), there.latest(), Math.max(there.version(), change.base()) + 2);
    }

    /** @param state the state that the session must have, in the words of the script */
    List<byte[]> arguments(String state) {
        List<byte[]> arguments = new ArrayList<>();
        arguments.add(number(replaced));
        arguments.add(ChangeMarks.bytes(mark));
        arguments.add(number(next));
        arguments.add(ChangeMarks.bytes(change.mark()));
        arguments.add(millis(change.created()));
        arguments.add(millis(change.accessed()));
        boolean replacesBase = replaced == change.base() && mark == change.baseMark();
        arguments.add(change.newInterval() || replacesBase ? number(change.maxInactiveSeconds()) : new byte[0]);
        arguments.add(conflict == RedisLocation.Conflict.REFUSE ? number(change.base()) : new byte[0]);
        arguments.add(text(state));
        arguments.add(number(change.written().size()));
        byte[] version = text(next + ":");
        for (Map.Entry<String, byte[]> attribute : change.written().entrySet()) {
            arguments.add(AttributeField.of(attribute.getKey()));
            byte[] value = attribute.getValue();
            arguments.add(ByteBuffer.allocate(version.length + value.length)
                    .put(version)
                    .put(value)
                    .array());
        }
        for (String name : change.removed()) {
            arguments.add(AttributeField.of(name));
        }
        return arguments;
    }
}
