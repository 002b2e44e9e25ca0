package io.penstock.session.jdbc;

import io.penstock.store.SessionKey;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of an application whose {@code due} has passed. Those that have been used since get the time at which they expire now. The
 * others have expired: they are given to the server that asks, and to no other for {@link #LEASE}.
 *
 * <p>Each row is changed only if it is as it was read, so of several servers one gets it. All servers change rows in the order
 * of their ids, so they do not wait for each other in a circle.
 *
 * <p>Thread: any.
 */
final class DueSessions {
    static final Duration LEASE = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(DueSessions.class);

    private static final String DUE = "select id, session_key, accessed, max_inactive, version, due from "
            + Tables.SESSIONS + " where application = ? and due <= ? order by due offset 0 rows fetch next ? rows only";

    private static final String POSTPONE =
            "update " + Tables.SESSIONS + " set due = ? where id = ? and version = ? and due = ?";

    private final Database database;
    private final String application;

    /**
     * A row that is due.
     *
     * @param key null if no server can have written the row
     */
    private record Row(long id, @Nullable SessionKey key, long version, long expiry, long due) {
        private boolean hasExpired(long now) {
            return key != null && expiry <= now;
        }

        /** The next time at which the row is to be looked at. */
        private long next(long now) {
            if (key == null) {
                return Tables.NEVER;
            }
            return hasExpired(now) ? now + LEASE.toMillis() : expiry;
        }
    }

    DueSessions(Database database, String application) {
        this.database = database;
        this.application = application;
    }

    /** Expired sessions, at most so many; fewer if the time for a call does not suffice. */
    Collection<SessionKey> take(long now, int most) throws IOException {
        long end = System.nanoTime() + database.options().timeout().toNanos() / 2;
        List<SessionKey> taken = new ArrayList<>();
        int wanted;
        List<Row> rows;
        do {
            wanted = most - taken.size();
            rows = find(now, wanted);
            taken.addAll(postpone(rows, now));
        } while (rows.size() == wanted && taken.size() < most && System.nanoTime() < end);
        return taken;
    }

    private List<Row> find(long now, int most) throws IOException {
        return database.call(call -> {
            try (PreparedStatement select = call.prepare(DUE)) {
                select.setString(1, application);
                select.setLong(2, now);
                select.setInt(3, most);
                List<Row> found = new ArrayList<>();
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        found.add(row(rows));
                    }
                }
                found.sort(Comparator.comparing(Row::id));
                return found;
            }
        });
    }

    private static Row row(ResultSet rows) throws SQLException {
        long id = rows.getLong(1);
        String key = rows.getString(2);
        long accessed = rows.getLong(3);
        boolean isWhole = !rows.wasNull();
        long maxInactive = rows.getLong(4);
        isWhole &= !rows.wasNull();
        long version = rows.getLong(5);
        long due = rows.getLong(6);
        try {
            if (isWhole && key != null) {
                return new Row(id, new SessionKey(key), version, ChangedRow.due(accessed, maxInactive), due);
            }
        } catch (IllegalArgumentException e) {
            LOG.debug("The key of a session is malformed", e);
        }
        LOG.warn("Row {} of {} was not written by a server: it does not expire", id, Tables.SESSIONS);
        return new Row(id, null, version, Tables.NEVER, due);
    }

    /** Changes {@code due} of the rows, and returns the keys of the expired ones that no other server has taken. */
    private List<SessionKey> postpone(List<Row> rows, long now) throws IOException {
        if (rows.isEmpty()) {
            return List.of();
        }
        return database.transaction(call -> {
            int[] changed;
            try (PreparedStatement update = call.prepare(POSTPONE)) {
                for (Row row : rows) {
                    update.setLong(1, row.next(now));
                    update.setLong(2, row.id());
                    update.setLong(3, row.version());
                    update.setLong(4, row.due());
                    update.addBatch();
                }
                changed = update.executeBatch();
            }
            List<SessionKey> taken = new ArrayList<>();
            for (int i = 0; i < changed.length; i++) {
                Row row = rows.get(i);
                if (changed[i] != 0 && row.key() != null && row.hasExpired(now)) {
                    taken.add(row.key());
                }
            }
            return taken;
        });
    }
}
