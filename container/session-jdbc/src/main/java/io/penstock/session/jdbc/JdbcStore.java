package io.penstock.session.jdbc;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.StaleSessionException;
import io.penstock.store.StoredSession;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The sessions of one application in the {@link Tables}. Thread: any. */
final class JdbcStore implements SessionStore {
    private static final String KEYED = " where application = ? and session_key = ?";

    /**
     * Reads a session. The result has one row for each attribute. If the caller already knows the current version of the session, the
     * result has only one row, without an attribute.
     */
    private static final String LOAD = "select s.version, s.created, s.accessed, s.max_inactive, a.name, a.bytes from "
            + Tables.SESSIONS + " s left join " + Tables.ATTRIBUTES
            + " a on a.session_id = s.id and s.version <> ? and a.bytes is not null" + KEYED;

    private static final String TOUCH = "update " + Tables.SESSIONS + " set accessed = ?" + KEYED + " and accessed < ?";

    private static final String DELETE = "delete from " + Tables.SESSIONS + KEYED;

    private static final String DELETE_EXPIRED =
            DELETE + " and max_inactive > 0 and accessed <= ? - max_inactive * 1000";

    private final Database database;
    private final String application;
    private final Saving saving;
    private final DueSessions due;

    /** @param application the application's name in the form of {@link AsciiText} */
    JdbcStore(Database database, String application) {
        this.database = database;
        this.application = application;
        this.due = new DueSessions(database, application);
        JdbcOptions.Conflict conflict = database.options().conflict();
        Saving byTransaction = new SaveByTransaction(conflict);
        this.saving =
                database.dialect() == Dialect.POSTGRESQL ? new SaveByStatement(conflict, byTransaction) : byTransaction;
    }

    private PreparedStatement prepareKeyed(Call call, String sql, SessionKey key) throws SQLException {
        PreparedStatement statement = call.prepare(sql);
        statement.setString(1, application);
        statement.setString(2, key.digest());
        return statement;
    }

    @Override
    public Optional<StoredSession> load(SessionKey key, long known) throws IOException {
        return database.call(call -> load(call, key, known));
    }

    private Optional<StoredSession> load(Call call, SessionKey key, long known) throws SQLException, IOException {
        try (PreparedStatement select = call.prepare(LOAD)) {
            select.setLong(1, known);
            select.setString(2, application);
            select.setString(3, key.digest());
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() ? Optional.of(session(key, rows)) : Optional.empty();
            }
        }
    }

    /** @param rows the result of {@link #LOAD}, positioned at the first row */
    private static StoredSession session(SessionKey key, ResultSet rows) throws SQLException, IOException {
        long version = number(rows, 1);
        if (version < 1) {
            throw new IOException("a session in the database has the version " + version);
        }
        Instant created = Instant.ofEpochMilli(number(rows, 2));
        Instant accessed = Instant.ofEpochMilli(number(rows, 3));
        int maxInactive = ChangedRow.seconds(number(rows, 4));
        Map<String, byte[]> attributes = new HashMap<>();
        do {
            String name = rows.getString(5);
            byte[] bytes = rows.getBytes(6);
            if (name != null && bytes != null) {
                attributes.put(AsciiText.decode(name), bytes);
            }
        } while (rows.next());
        return new StoredSession(key, version, created, accessed, maxInactive, attributes);
    }

    private static long number(ResultSet row, int column) throws SQLException, IOException {
        long number = row.getLong(column);
        if (row.wasNull()) {
            throw new IOException("a session in the database lacks a number");
        }
        return number;
    }

    @Override
    public OptionalLong save(SessionChange change) throws IOException {
        return database.call(call -> {
            try {
                return saving.save(call, application, change);
            } catch (SQLException e) {
                if (!SqlFailure.isDuplicate(e)) {
                    throw e;
                }
                StoredSession there = load(call, change.key(), 0).orElseThrow(() -> e);
                StaleSessionException stale = new StaleSessionException(there.version(), change.base());
                stale.initCause(e);
                throw stale;
            }
        });
    }

    @Override
    public void touch(SessionKey key, Instant accessed) throws IOException {
        long time = ChangedRow.millis(accessed);
        database.call(call -> {
            try (PreparedStatement update = call.prepare(TOUCH)) {
                update.setLong(1, time);
                update.setString(2, application);
                update.setString(3, key.digest());
                update.setLong(4, time);
                return update.executeUpdate();
            }
        });
    }

    @Override
    public boolean delete(SessionKey key) throws IOException {
        return database.call(call -> {
            try (PreparedStatement delete = prepareKeyed(call, DELETE, key)) {
                return delete.executeUpdate() > 0;
            }
        });
    }

    @Override
    public Collection<StoredSession> expired(Instant now, int most) throws IOException {
        return due.take(ChangedRow.millis(now), most);
    }

    @Override
    public boolean deleteExpired(SessionKey key, Instant now) throws IOException {
        return database.call(call -> {
            try (PreparedStatement delete = prepareKeyed(call, DELETE_EXPIRED, key)) {
                delete.setLong(3, ChangedRow.millis(now));
                return delete.executeUpdate() > 0;
            }
        });
    }
}
