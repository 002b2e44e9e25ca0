package io.penstock.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A session store in memory. It works like a database. Each session has a version, and each attribute has its own version. Several servers
 * can share the store.
 */
public final class AttributeTable implements SessionStore {
    private final OfOneAttribute conflict;

    @GuardedBy("this")
    private final Map<SessionKey, Row> rows = new HashMap<>();

    @GuardedBy("this")
    private final Map<SessionKey, Row> onDisk = new HashMap<>();

    @GuardedBy("this")
    private final List<SessionChange> changes = new ArrayList<>();

    @GuardedBy("this")
    private final Set<SessionKey> spoiled = new HashSet<>();

    @GuardedBy("this")
    private int touches;

    @GuardedBy("this")
    private int loads;

    @GuardedBy("this")
    private Network network = Network.UP;

    private enum Network {
        UP,
        /** Each save changes the store, but then fails. Other calls succeed. */
        MUTE,
        DOWN
    }

    /** The rule for two concurrent changes of the same attribute. The later change overwrites the earlier change, or is refused. */
    public enum OfOneAttribute {
        LATER_WINS,
        LATER_IS_REFUSED
    }

    private record Attribute(long version, byte[] bytes) {}

    private static final class Row {
        private final Map<String, Attribute> attributes = new HashMap<>();
        private final Map<String, Long> removed = new HashMap<>();
        private final Instant created;
        private long version;
        private long mark;
        private Instant accessed;
        private int maxInactiveSeconds;

        private Row(Instant created) {
            this.created = created;
            this.accessed = created;
        }

        private Row(Row other) {
            this(other.created);
            attributes.putAll(other.attributes);
            removed.putAll(other.removed);
            version = other.version;
            mark = other.mark;
            accessed = other.accessed;
            maxInactiveSeconds = other.maxInactiveSeconds;
        }

        private long version(String attribute) {
            Attribute kept = attributes.get(attribute);
            return kept != null ? kept.version : removed.getOrDefault(attribute, 0L);
        }

        private boolean isOver(Instant now) {
            return maxInactiveSeconds > 0 && !now.isBefore(accessed.plusSeconds(maxInactiveSeconds));
        }
    }

    /** Creates a store in which a later change of an attribute overwrites an earlier change. */
    public AttributeTable() {
        this(OfOneAttribute.LATER_WINS);
    }

    public AttributeTable(OfOneAttribute conflict) {
        this.conflict = conflict;
    }

    /** Makes the store unavailable: each call fails, until {@link #comeBack} is called. */
    public synchronized void goAway() {
        network = Network.DOWN;
    }

    /** Simulates responses that arrive too late: each save changes the store but fails, until {@link #comeBack} is called. */
    public synchronized void becomeMute() {
        network = Network.MUTE;
    }

    public synchronized void comeBack() {
        network = Network.UP;
    }

    /** Writes all changes to the simulated disk. A later {@link #crash} does not undo these changes. */
    public synchronized void writeToDisk() {
        copy(rows, onDisk);
    }

    /** Undoes all changes after the last {@link #writeToDisk}. */
    public synchronized void crash() {
        copy(onDisk, rows);
    }

    private static void copy(Map<SessionKey, Row> from, Map<SessionKey, Row> to) {
        to.clear();
        from.forEach((key, row) -> to.put(key, new Row(row)));
    }

    /** Makes each load of the session fail. */
    public synchronized void spoil(String id) {
        spoiled.add(SessionKey.of(id));
    }

    private synchronized void requireNetwork() throws StoreUnavailableException {
        if (network == Network.DOWN) {
            throw new StoreUnavailableException("the table is unavailable", null);
        }
    }

    /** The version of the session, or 0 if the session does not exist. */
    public synchronized long version(String id) {
        Row row = rows.get(SessionKey.of(id));
        return row == null ? 0 : row.version;
    }

    /** The saved changes, in the order of the saves. */
    public synchronized List<SessionChange> changes() {
        return List.copyOf(changes);
    }

    public synchronized int touches() {
        return touches;
    }

    /** The number of calls of {@link #load} that have found a session. */
    public synchronized int loads() {
        return loads;
    }

    @Override
    public synchronized Optional<StoredSession> load(SessionKey key, long known) throws IOException {
        requireNetwork();
        if (spoiled.contains(key)) {
            throw new IOException("the session " + key + " cannot be read");
        }
        Row row = rows.get(key);
        if (row == null) {
            return Optional.empty();
        }
        loads++;
        return Optional.of(session(key, row, row.version == known ? Set.of() : row.attributes.keySet()));
    }

    private static StoredSession session(SessionKey key, Row row, Set<String> names) {
        Map<String, byte[]> attributes = new HashMap<>();
        row.attributes.forEach((name, attribute) -> {
            if (names.contains(name)) {
                attributes.put(name, attribute.bytes);
            }
        });
        return new StoredSession(
                key, row.version, row.mark, row.created, row.accessed, row.maxInactiveSeconds, attributes);
    }

    @Override
    public synchronized OptionalLong save(SessionChange change) throws IOException {
        requireNetwork();
        Row row = rows.get(change.former());
        if (row == null && change.base() > 0) {
            return OptionalLong.empty();
        }
        boolean isLost = row != null && isBaseLost(row, change);
        if (row != null
                && (change.base() == 0
                        || (isLost && conflict == OfOneAttribute.LATER_IS_REFUSED)
                        || isRefused(row, change))) {
            throw new StaleSessionException(row.version, change.base());
        }
        if (row == null) {
            row = new Row(change.created());
        }
        long version = isLost ? Math.max(row.version, change.base()) + 2 : row.version + 1;
        row.version = version;
        row.mark = change.mark();
        row.accessed = latest(row.accessed, change.accessed());
        if (change.base() == 0 || change.newInterval()) {
            row.maxInactiveSeconds = change.maxInactiveSeconds();
        }
        for (Map.Entry<String, byte[]> attribute : change.written().entrySet()) {
            row.attributes.put(attribute.getKey(), new Attribute(version, attribute.getValue()));
        }
        for (String name : change.removed()) {
            row.attributes.remove(name);
            row.removed.put(name, version);
        }
        rows.remove(change.former());
        rows.put(change.key(), row);
        changes.add(change);
        if (network == Network.MUTE) {
            throw new StoreUnavailableException("the table's answer is late", null);
        }
        return OptionalLong.of(version);
    }

    private static boolean isBaseLost(Row row, SessionChange change) {
        return row.version < change.base()
                || (row.version == change.base() && change.baseMark() != 0 && change.baseMark() != row.mark);
    }

    private boolean isRefused(Row row, SessionChange change) {
        return conflict == OfOneAttribute.LATER_IS_REFUSED
                && (change.written().keySet().stream().anyMatch(name -> row.version(name) > change.base())
                        || change.removed().stream().anyMatch(name -> row.version(name) > change.base()));
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    @Override
    public synchronized void touch(SessionKey key, Instant accessed) throws StoreUnavailableException {
        requireNetwork();
        touches++;
        Row row = rows.get(key);
        if (row != null) {
            row.accessed = latest(row.accessed, accessed);
        }
    }

    @Override
    public synchronized boolean delete(SessionKey key) throws StoreUnavailableException {
        requireNetwork();
        return rows.remove(key) != null;
    }

    @Override
    public synchronized Collection<StoredSession> expired(Instant now, int most) throws StoreUnavailableException {
        requireNetwork();
        return rows.entrySet().stream()
                .filter(row -> row.getValue().isOver(now))
                .limit(most)
                .map(row -> session(row.getKey(), row.getValue(), Set.of(StoredSession.ID)))
                .toList();
    }

    @Override
    public synchronized boolean deleteExpired(SessionKey key, Instant now) throws StoreUnavailableException {
        requireNetwork();
        Row row = rows.get(key);
        return row != null && row.isOver(now) && delete(key);
    }
}
