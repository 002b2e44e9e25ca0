package io.penstock.dispatch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.work.Mapping;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Mapping}s of one servlet: which of its requests share the workers as equals. A servlet has one mapping. If it serves a whole
 * application, as the dispatcher of a framework does, it has one for each kind of path, so that a slow report does not stop the health check
 * beside it. A kind of path is at most {@link #SEGMENTS} segments. If a segment has more than {@link #VALUES} values, it is an identifier,
 * and all its values are one kind: {@code /orders/17} and {@code /orders/18}.
 *
 * <p>Paths are learned from responses. Until the first response, a kind of path has a mapping on trial, so that a path that hangs right
 * after the start does not stop the others. There are few of these ({@link #TRIALS}), each for at least a second. All further paths that
 * are not known yet share one mapping; so a client that invents paths, which are answered 404, or 401, or by a redirect to a login, gets
 * only some mappings.
 *
 * <p>Thread: any. Known paths are found without a lock.
 */
final class PathMappings {
    private static final int SEGMENTS = 4;
    private static final int VALUES = 16;
    private static final int MAX = 256;
    private static final int TRIALS = 8;

    /**
     * The shortest time of a trial. A mapping that was chosen just now does not run or wait yet: the reactor hands over the requests of its
     * round together.
     */
    private static final long SHORTEST_TRIAL = TimeUnit.SECONDS.toNanos(1);

    /** A longer segment, or one of digits only, is expected to be an identifier. */
    private static final int LONG = 20;

    /** The most characters of a segment that are kept and compared: clients invent segments. */
    private static final int LONGEST = 100;

    private final String name;
    private final boolean byPath;
    private final LongSupplier clock;
    private final Mapping unknown;
    private final Node root = new Node();

    /** By the kind of path. */
    @GuardedBy("this")
    private final Map<String, Trial> trials = new HashMap<>();

    @GuardedBy("this")
    private int mappings;

    private record Trial(Mapping mapping, long since) {
        /** Whether its requests were answered 3xx or 4xx, or were refused, or their clients have left. */
        boolean over(long now) {
            return mapping.running() == 0 && mapping.waiting() == 0 && now - since >= SHORTEST_TRIAL;
        }
    }

    /** A path up to a segment. The maps are replaced, never changed. */
    private static final class Node {
        private volatile Map<String, Node> values = Map.of();
        /** The node of all values, if there are too many. Then {@code values} is empty. */
        private volatile @Nullable Node every;

        private volatile @Nullable Mapping mapping;

        @Nullable
        Node next(String segment) {
            Node all = every;
            return all == null ? values.get(segment) : all;
        }
    }

    /**
     * @param name the context path and the name of the servlet, for operators
     * @param byPath whether the servlet serves a whole application
     */
    PathMappings(String name, boolean byPath) {
        this(name, byPath, System::nanoTime);
    }

    PathMappings(String name, boolean byPath, LongSupplier clock) {
        this.clock = clock;
        this.name = name;
        this.byPath = byPath;
        this.unknown = new Mapping(name);
    }

    /** The mapping of a decoded path in the context. */
    Mapping of(String path) {
        if (!byPath) {
            return unknown;
        }
        Mapping known = find(path);
        return known == null ? onTrial(expectedKind(path)) : known;
    }

    private synchronized Mapping onTrial(String kind) {
        Trial trial = trials.get(kind);
        if (trial != null) {
            return trial.mapping();
        }
        long now = clock.getAsLong();
        if (trials.size() >= TRIALS) {
            trials.values().removeIf(each -> each.over(now));
        }
        if (trials.size() >= TRIALS) {
            return unknown;
        }
        Mapping made = new Mapping(name + ' ' + kind);
        trials.put(kind, new Trial(made, now));
        return made;
    }

    /** The kind of a path that is not known yet: its first segments, with {@code *} for those that look like identifiers. */
    private static String expectedKind(String path) {
        StringBuilder kind = new StringBuilder();
        int at = 1;
        for (int depth = 0; depth < SEGMENTS && at < path.length(); depth++) {
            int end = end(path, at);
            kind.append('/').append(isIdentifier(path, at, end) ? "*" : path.substring(at, end));
            at = end + 1;
        }
        return kind.isEmpty() ? "/" : kind.toString();
    }

    private static boolean isIdentifier(String path, int from, int to) {
        boolean digits = true;
        for (int i = from; i < to; i++) {
            digits &= Character.isDigit(path.charAt(i));
        }
        return digits || to - from > LONG;
    }

    private @Nullable Mapping find(String path) {
        Node node = root;
        int at = 1;
        for (int depth = 0; depth < SEGMENTS && at < path.length(); depth++) {
            int end = end(path, at);
            Node next = node.next(segment(path, at, end));
            if (next == null) {
                return null;
            }
            node = next;
            at = end + 1;
        }
        return node.mapping;
    }

    private static String segment(String path, int from, int to) {
        return path.substring(from, Math.min(to, from + LONGEST));
    }

    private static int end(String path, int from) {
        int slash = path.indexOf('/', from);
        return slash < 0 ? path.length() : slash;
    }

    /** A request for this path has been answered. */
    void answered(String path, int status) {
        if (byPath && exists(status) && find(path) == null) {
            answeredFirst(path);
        }
    }

    /**
     * Whether only the application can have answered so. Filters answer each invented path with a redirect or with 4xx. If those were
     * learned, a few of them would make one kind of all paths.
     */
    private static boolean exists(int status) {
        return status < 300 || status >= 500;
    }

    private synchronized void answeredFirst(String path) {
        String kind = expectedKind(path);
        learn(path, trials.get(kind));
        if (find(path) != null) {
            trials.remove(kind);
        }
    }

    /** @param trial the mapping of the path so far; null if it shared that of others */
    @GuardedBy("this")
    private void learn(String path, @Nullable Trial trial) {
        Node node = root;
        StringBuilder kind = new StringBuilder();
        int at = 1;
        for (int depth = 0; depth < SEGMENTS && at < path.length(); depth++) {
            int end = end(path, at);
            String segment = segment(path, at, end);
            Node next = node.next(segment);
            if (next == null) {
                if (mappings >= MAX && node.values.size() < VALUES) {
                    return;
                }
                next = added(node, segment);
            }
            kind.append('/').append(next == node.every ? "*" : segment);
            node = next;
            at = end + 1;
        }
        if (node.mapping == null && mappings < MAX) {
            Mapping made = new Mapping(name + ' ' + (kind.isEmpty() ? "/" : kind));
            // Requests that still run count for the same mapping.
            node.mapping = trial != null && trial.mapping().name().equals(made.name()) ? trial.mapping() : made;
            mappings++;
        }
    }

    @GuardedBy("this")
    private Node added(Node node, String segment) {
        Node next = new Node();
        if (node.values.size() == VALUES) {
            node.values.values().forEach(this::forget);
            node.every = next;
            node.values = Map.of();
        } else {
            Map<String, Node> more = new HashMap<>(node.values);
            more.put(segment, next);
            node.values = more;
        }
        return next;
    }

    /** Requests that run still count for the mappings of this path; later requests count for the mapping of all values. */
    @GuardedBy("this")
    private void forget(Node node) {
        if (node.mapping != null) {
            mappings--;
        }
        Node every = node.every;
        if (every != null) {
            forget(every);
        }
        node.values.values().forEach(this::forget);
    }
}
