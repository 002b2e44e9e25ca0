package io.penstock.session.jdbc;

import io.penstock.store.SessionChange;
import java.io.IOException;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * Saves a change with one statement of PostgreSQL. So a change needs only one round trip, and a paused server holds no lock.
 *
 * <p>The statement changes the session only if the version of the session is the base version of the change. In this case, no other server
 * has changed the session since that version. Otherwise, a transaction ({@link SaveByTransaction}) makes the change. A transaction also
 * makes the changes that forget old marks.
 *
 * <p>Thread: any.
 */
final class SaveByStatement implements Saving {
    private static final String WRITTEN = " unnest(?, ?) as n (name, bytes)";

    private static final String CREATE = "with s as (insert into " + Tables.SESSIONS
            + " (application, session_key, version, created, accessed, max_inactive, due) values (?, ?, 1, ?, ?, ?, ?)"
            + " returning id), w as (insert into " + Tables.ATTRIBUTES
            + " (session_id, name, version, bytes) select s.id, n.name, 1, n.bytes from s," + WRITTEN
            + ") select 1 from s";

    private static final String CHANGE = "with s as (update " + Tables.SESSIONS
            + " set version = version + 1, session_key = ?, accessed = greatest(accessed, ?), max_inactive = ?,"
            + " due = least(due, ?) where application = ? and session_key = ? and version = ? returning id, version),"
            + " d as (delete from " + Tables.ATTRIBUTES + " a using s where a.session_id = s.id and a.name = any (?)),"
            + " w as (insert into " + Tables.ATTRIBUTES + " as a (session_id, name, version, bytes)"
            + " select s.id, n.name, s.version, n.bytes from s," + WRITTEN
            + " on conflict (session_id, name) do update set version = excluded.version, bytes = excluded.bytes)"
            + " select version from s";

    private final JdbcOptions.Conflict conflict;
    private final Saving transaction;

    /** @param transaction saves the changes of sessions that another server has also changed */
    SaveByStatement(JdbcOptions.Conflict conflict, Saving transaction) {
        this.conflict = conflict;
        this.transaction = transaction;
    }

    @Override
    public OptionalLong save(Call call, String application, SessionChange change) throws SQLException, IOException {
        if (SaveByTransaction.forgets(conflict, change.base() + 1)) {
            return transaction.save(call, application, change);
        }
        ChangedRow row = ChangedRow.of(change, conflict);
        OptionalLong version =
                change.base() == 0 ? create(call, application, change, row) : change(call, application, change, row);
        return version.isEmpty() ? transaction.save(call, application, change) : version;
    }

    private static OptionalLong create(Call call, String application, SessionChange change, ChangedRow row)
            throws SQLException {
        try (PreparedStatement insert = call.prepare(CREATE)) {
            insert.setString(1, application);
            insert.setString(2, change.key().digest());
            insert.setLong(3, row.created());
            insert.setLong(4, row.accessed());
            insert.setLong(5, row.maxInactive());
            insert.setLong(6, row.due());
            return version(call, insert, 7, row);
        }
    }

    private static OptionalLong change(Call call, String application, SessionChange change, ChangedRow row)
            throws SQLException {
        Array removed = call.connection().createArrayOf("text", row.removed().toArray());
        try (PreparedStatement update = call.prepare(CHANGE)) {
            update.setString(1, change.key().digest());
            update.setLong(2, row.accessed());
            update.setLong(3, row.maxInactive());
            update.setLong(4, row.due());
            update.setString(5, application);
            update.setString(6, change.former().digest());
            update.setLong(7, change.base());
            update.setArray(8, removed);
            return version(call, update, 9, row);
        } finally {
            removed.free();
        }
    }

    /** @param first the index of the parameter for the names of the written attributes; the next parameter is for their bytes */
    private static OptionalLong version(Call call, PreparedStatement statement, int first, ChangedRow row)
            throws SQLException {
        Array names = call.connection()
                .createArrayOf(
                        "text",
                        row.written().stream().map(ChangedRow.Attribute::name).toArray());
        Array bytes = call.connection()
                .createArrayOf(
                        "bytea",
                        row.written().stream().map(ChangedRow.Attribute::bytes).toArray(byte[][]::new));
        try {
            statement.setArray(first, names);
            statement.setArray(first + 1, bytes);
            try (ResultSet changed = statement.executeQuery()) {
                return changed.next() ? OptionalLong.of(changed.getLong(1)) : OptionalLong.empty();
            }
        } finally {
            names.free();
            bytes.free();
        }
    }
}
