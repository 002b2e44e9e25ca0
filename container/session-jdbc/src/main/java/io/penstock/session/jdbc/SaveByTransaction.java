package io.penstock.session.jdbc;

import io.penstock.store.SessionChange;
import io.penstock.store.StaleSessionException;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Saves a change with a transaction in standard SQL. The first statement changes the session's row, and so locks the row. So each change of
 * a session sees the result of the previous change, and two changes cannot deadlock.
 *
 * <p>Thread: any.
 */
final class SaveByTransaction implements Saving {
    private static final String CREATE = "insert into " + Tables.SESSIONS
            + " (application, session_key, version, created, accessed, max_inactive, due) values (?, ?, 1, ?, ?, ?, ?)";

    private static final String CHANGE = "update " + Tables.SESSIONS
            + " set version = version + 1, session_key = ?, accessed = case when accessed < ? then ? else accessed end,"
            + " max_inactive = coalesce(?, max_inactive), due = case when due > ? then ? else due end where application = ? and session_key = ?";

    private static final String FIND =
            "select id, version from " + Tables.SESSIONS + " where application = ? and session_key = ?";

    private static final String CHANGED_SINCE =
            "select name from " + Tables.ATTRIBUTES + " where session_id = ? and version > ?";

    private static final String REMOVE = "delete from " + Tables.ATTRIBUTES + " where session_id = ? and name = ?";

    private static final String WRITE =
            "insert into " + Tables.ATTRIBUTES + " (session_id, name, version, bytes) values (?, ?, ?, ?)";

    private final JdbcOptions.Conflict conflict;

    SaveByTransaction(JdbcOptions.Conflict conflict) {
        this.conflict = conflict;
    }

    @Override
    public OptionalLong save(Call call, String application, SessionChange change) throws SQLException, IOException {
        ChangedRow row = ChangedRow.of(change, conflict);
        return call.transaction(() ->
                change.base() == 0 ? create(call, application, change, row) : change(call, application, change, row));
    }

    private static OptionalLong create(Call call, String application, SessionChange change, ChangedRow row)
            throws SQLException {
        long id;
        try (PreparedStatement insert = call.prepare(CREATE, "id")) {
            insert.setString(1, application);
            insert.setString(2, change.key().digest());
            insert.setLong(3, row.created());
            insert.setLong(4, row.accessed());
            insert.setLong(5, row.maxInactive());
            insert.setLong(6, row.due());
            insert.executeUpdate();
            try (ResultSet keys = insert.getGeneratedKeys()) {
                if (!keys.next()) {
                    throw new SQLException("the database does not tell the id of a new row");
                }
                id = keys.getLong(1);
            }
        }
        write(call, id, 1, row.written());
        return OptionalLong.of(1);
    }

    private OptionalLong change(Call call, String application, SessionChange change, ChangedRow row)
            throws SQLException, IOException {
        if (!changeSession(call, application, change, row)) {
            return OptionalLong.empty();
        }
        long id;
        long version;
        try (PreparedStatement find = call.prepare(FIND)) {
            find.setString(1, application);
            find.setString(2, change.key().digest());
            try (ResultSet found = find.executeQuery()) {
                if (!found.next()) {
                    throw new SQLException("a row that was changed is not found");
                }
                id = found.getLong(1);
                version = found.getLong(2);
            }
        }
        if (conflict == JdbcOptions.Conflict.REFUSE
                && version > change.base() + 1
                && isConflict(call, id, change.base(), names(row))) {
            throw new StaleSessionException(version - 1, change.base());
        }
        Set<String> replaced = names(row);
        replaced.addAll(row.removed());
        remove(call, id, replaced);
        write(call, id, version, row.written());
        return OptionalLong.of(version);
    }

    private static Set<String> names(ChangedRow row) {
        Set<String> names = new TreeSet<>();
        row.written().forEach(attribute -> names.add(attribute.name()));
        return names;
    }

    private static void remove(Call call, long id, Set<String> names) throws SQLException {
        if (names.isEmpty()) {
            return;
        }
        try (PreparedStatement delete = call.prepare(REMOVE)) {
            for (String name : names) {
                delete.setLong(1, id);
                delete.setString(2, name);
                delete.addBatch();
            }
            delete.executeBatch();
        }
    }

    private static void write(Call call, long id, long version, List<ChangedRow.Attribute> attributes)
            throws SQLException {
        if (attributes.isEmpty()) {
            return;
        }
        try (PreparedStatement insert = call.prepare(WRITE)) {
            for (ChangedRow.Attribute attribute : attributes) {
                insert.setLong(1, id);
                insert.setString(2, attribute.name());
                insert.setLong(3, version);
                insert.setBytes(4, attribute.bytes());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static boolean changeSession(Call call, String application, SessionChange change, ChangedRow row)
            throws SQLException {
        try (PreparedStatement update = call.prepare(CHANGE)) {
            update.setString(1, change.key().digest());
            update.setLong(2, row.accessed());
            update.setLong(3, row.accessed());
            update.setObject(4, change.newInterval() ? row.maxInactive() : null, Types.BIGINT);
            update.setLong(5, row.due());
            update.setLong(6, row.due());
            update.setString(7, application);
            update.setString(8, change.former().digest());
            return update.executeUpdate() > 0;
        }
    }

    /** Whether another server has written or removed one of these attributes after the version {@code base}. */
    private static boolean isConflict(Call call, long id, long base, Set<String> changed) throws SQLException {
        try (PreparedStatement select = call.prepare(CHANGED_SINCE)) {
            select.setLong(1, id);
            select.setLong(2, base);
            try (ResultSet names = select.executeQuery()) {
                while (names.next()) {
                    if (changed.contains(names.getString(1))) {
                        return true;
                    }
                }
                return false;
            }
        }
    }
}
