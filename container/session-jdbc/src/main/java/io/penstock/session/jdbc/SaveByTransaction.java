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

    private static final String VERSIONS = "select name, version from " + Tables.ATTRIBUTES + " where session_id = ?";

    private static final String MARKS = "select version from " + Tables.ATTRIBUTES
            + " where session_id = ? and bytes is null and name <> ? order by version desc";

    private static final String REMOVE_MARKS =
            "delete from " + Tables.ATTRIBUTES + " where session_id = ? and bytes is null and version <= ?";

    private static final String REMOVE = "delete from " + Tables.ATTRIBUTES + " where session_id = ? and name = ?";

    private static final String WRITE =
            "insert into " + Tables.ATTRIBUTES + " (session_id, name, version, bytes) values (?, ?, ?, ?)";

    /** The name of the row whose version is the latest of the forgotten marks. No attribute has this name in the form of {@link AsciiText}. */
    private static final String FORGOTTEN = "\\";

    /** The number of marks of removed attributes that a session keeps. */
    private static final int MARKS_KEPT = 64;

    /** The old marks are forgotten at each change whose version is a multiple of this number. */
    private static final int FORGETTING = 32;

    private final JdbcOptions.Conflict conflict;

    SaveByTransaction(JdbcOptions.Conflict conflict) {
        this.conflict = conflict;
    }

    /** Whether the change to this version forgets old marks. */
    static boolean forgets(JdbcOptions.Conflict conflict, long version) {
        return conflict == JdbcOptions.Conflict.REFUSE && version % FORGETTING == 0;
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
        if (forgets(conflict, version)) {
            forgetOldMarks(call, id);
        }
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

    /**
     * Whether another server has written or removed one of these attributes after the version {@code base}. If marks after this version have
     * been forgotten, an attribute without a row may have been removed.
     */
    private static boolean isConflict(Call call, long id, long base, Set<String> changed) throws SQLException {
        Set<String> withoutRow = new TreeSet<>(changed);
        long forgotten = 0;
        try (PreparedStatement select = call.prepare(VERSIONS)) {
            select.setLong(1, id);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    String name = rows.getString(1);
                    long version = rows.getLong(2);
                    if (name.equals(FORGOTTEN)) {
                        forgotten = version;
                    } else if (withoutRow.remove(name) && version > base) {
                        return true;
                    }
                }
            }
        }
        return forgotten > base && !withoutRow.isEmpty();
    }

    /** Without this, an application with ever new names would leave a mark for each of them while the session lasts. */
    private static void forgetOldMarks(Call call, long id) throws SQLException {
        long latest = 0;
        try (PreparedStatement select = call.prepare(MARKS)) {
            select.setLong(1, id);
            select.setString(2, FORGOTTEN);
            try (ResultSet marks = select.executeQuery()) {
                for (int i = 0; i <= MARKS_KEPT; i++) {
                    if (!marks.next()) {
                        return;
                    }
                    latest = marks.getLong(1);
                }
            }
        }
        try (PreparedStatement delete = call.prepare(REMOVE_MARKS)) {
            delete.setLong(1, id);
            delete.setLong(2, latest);
            delete.executeUpdate();
        }
        write(call, id, latest, List.of(ChangedRow.Attribute.mark(FORGOTTEN)));
    }
}
