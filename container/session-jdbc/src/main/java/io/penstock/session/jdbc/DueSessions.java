package io.penstock.session.jdbc;

import io.penstock.store.SessionKey;
import io.penstock.store.StoredSession;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the sessions of an application whose {@code due} time has passed ({@link Tables}). If such a session was used since its {@code due}
 * time was set, its row gets the new expiry time. Otherwise, the session has expired. Then the calling server gets the session, and no
 * other server gets it for the time {@link #LEASE}.
 *
 * <p>Only one server gets an expired session, because a server changes a row only if the row is unchanged since the read. All servers
 * change rows in the order of the row ids. So two servers cannot deadlock.
 *
 * <p>Thread: any.
 */
final class DueSessions {
    static final Duration LEASE = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(DueSessions.class);

    private static final String DUE = "select s.id, s.session_key, s.accessed, s.max_inactive, s.version, s.due,"
            + " s.created, a.bytes from " + Tables.SESSIONS + " s left join " + Tables.ATTRIBUTES
            + " a on a.session_id = s.id and a.name = ? where s.application = ? and s.due <= ?"
            + " order by s.due offset 0 rows fetch next ? rows only";

    private static final String ID = AsciiText.encode(StoredSession.ID);

    private static final String POSTPONE =
            "update " + Tables.SESSIONS + " set due = ? where id = ? and version = ? and due = ?";

    private final Database database;
    private final String application;

    /**
     * A row whose {@code due} time has passed.
     *
     * @param session the session with at most one attribute, {@link StoredSession#ID}; null if the row is invalid
     */
    private record Row(
            long id,
            long version,
            long due,
            long expiry,
            @Nullable StoredSession session) {
        private boolean hasExpired(long now) {
            return session != null && expiry <= now;
        }

        /** The next time at which a server examines the row. */
        private long next(long now) {
            if (session == null) {
                return Tables.NEVER;
            }
            return hasExpired(now) ? now + LEASE.toMillis() : expiry;
        }
    }

    DueSessions(Database database, String application) {
        this.database = database;
        this.application = application;
    }

    /** Returns at most {@code most} expired sessions. Returns fewer if half of the time limit of a call has passed. */
    Collection<StoredSession> take(long now, int most) throws IOException {
        long end = System.nanoTime() + database.options().timeout().toNanos() / 2;
        return database.call(call -> take(call, now, most, end));
    }

    private List<StoredSession> take(Call call, long now, int most, long end) throws SQLException, IOException {
        List<StoredSession> taken = new ArrayList<>();
        int wanted;
        List<Row> rows;
        do {
            wanted = most - taken.size();
            rows = find(call, now, wanted);
            taken.addAll(postpone(call, rows, now));
        } while (rows.size() == wanted && taken.size() < most && System.nanoTime() < end);
        return taken;
    }

    private List<Row> find(Call call, long now, int most) throws SQLException {
        try (PreparedStatement select = call.prepare(DUE)) {
            select.setString(1, ID);
            select.setString(2, application);
            select.setLong(3, now);
            select.setInt(4, most);
            List<Row> found = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    found.add(row(rows));
                }
            }
            found.sort(Comparator.comparing(Row::id));
            return found;
        }
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
        long created = rows.getLong(7);
        byte[] idBytes = rows.getBytes(8);
        try {
            if (isWhole && key != null) {
                StoredSession session = new StoredSession(
                        new SessionKey(key),
                        version,
                        Instant.ofEpochMilli(created),
                        Instant.ofEpochMilli(accessed),
                        ChangedRow.seconds(maxInactive),
                        idBytes == null ? Map.of() : Map.of(StoredSession.ID, idBytes));
                return new Row(id, version, due, ChangedRow.due(accessed, maxInactive), session);
            }
        } catch (IllegalArgumentException e) {
            LOG.debug("The key of a session is malformed", e);
        }
        LOG.warn("Row {} of {} was not written by a server: it will not expire", id, Tables.SESSIONS);
        return new Row(id, version, due, Tables.NEVER, null);
    }

    /** Changes {@code due} of the rows. Returns the expired sessions that no other server has taken. */
    private static List<StoredSession> postpone(Call call, List<Row> rows, long now) throws SQLException, IOException {
        if (rows.isEmpty()) {
            return List.of();
        }
        return call.transaction(() -> {
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
            List<StoredSession> taken = new ArrayList<>();
            for (int i = 0; i < changed.length; i++) {
                Row row = rows.get(i);
                if (changed[i] != 0 && row.session() != null && row.hasExpired(now)) {
                    taken.add(row.session());
                }
            }
            return taken;
        });
    }
}
