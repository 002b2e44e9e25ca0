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
 * One run of the script that saves. It names the version that it replaces, with the mark of the change that made this version.
 * Redis replaces no other version. So a script that reaches Redis late, after a time-out, replaces nothing newer. The first run
 * replaces the base of the change. If another server has changed the session since then, the script returns the present
 * version, and the next run replaces that version.
 *
 * @param replaced a version, 0 for none
 * @param mark that of the replaced version; 0 for any
 * @param next the new version: one more, or two more if Redis has lost the base, so that the server sees that others have changed the session
 */
record SaveCall(SessionChange change, RedisLocation.Conflict conflict, long replaced, long mark, long next) {

    static SaveCall first(SessionChange change, RedisLocation.Conflict conflict) {
        return new SaveCall(change, conflict, change.base(), change.baseMark(), change.base() + 1);
    }

    /**
     * The call that replaces the present version.
     *
     * @throws StaleSessionException if the session was to be created; or if conflicts are refused, and the present version does
     *     not come from the base
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

    /** @param state the state that the session must have, by the script's name for it */
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
