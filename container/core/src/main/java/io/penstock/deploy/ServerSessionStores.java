package io.penstock.deploy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.FileClaim;
import io.penstock.limits.Key;
import io.penstock.limits.OperatorFile;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.SessionLimits;
import io.penstock.part.AttributeFormat;
import io.penstock.part.SessionStoreProvider;
import io.penstock.session.FileSessionStore;
import io.penstock.session.Formats;
import io.penstock.session.MemorySessions;
import io.penstock.session.PassivatedSessions;
import io.penstock.session.SessionLimit;
import io.penstock.session.SessionRepository;
import io.penstock.session.StoreGate;
import io.penstock.store.SessionStores;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the store in which the sessions of an application are kept between two requests. There are four kinds of stores: a store of the
 * embedding program, a store of the library that {@code session-store} names, a folder below {@code session-dir}, and memory.
 *
 * <p>Thread: any. Owns: a lock file in {@code session-dir}, from the first deployment until {@link #close}. The lock file prevents other
 * servers from using the directory.
 */
public final class ServerSessionStores implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerSessionStores.class);
    private static final String NONE = "none";

    /** A shared store contains the time of the last request of each session. The server updates this time after at most this delay. */
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);

    private final SessionLimits limits;
    private final StoreGate gate;
    private final Counters counters;
    private final String location;

    /** The attribute format of an optional library, or null for Java's serialization. */
    private final AttributeFormat.@Nullable Provider format;

    /** The provider of the library that the operator has chosen, or null if {@code session-store} is not set. */
    private final @Nullable SessionStoreProvider provider;

    /**
     * The stores in folders, by context path. A new version of an application uses the same store as the former version, and finds its
     * sessions.
     */
    @GuardedBy("this")
    private final Map<String, FileSessionStore> folders = new HashMap<>();

    @GuardedBy("this")
    private @Nullable FileChannel lock;

    /** The claim to the file of {@code lock}. */
    @GuardedBy("this")
    private @Nullable FileClaim claim;

    /**
     * The stores of the embedding program, or the stores of a library. Those of a library are opened at the first deployment. Null if
     * sessions are stored in files or memory.
     */
    @GuardedBy("this")
    private @Nullable SessionStores stores;

    /**
     * Opens no store. Stores are opened at the first deployment.
     *
     * @param location the value of {@code session-store}
     * @param given the stores of the embedding program, or null. {@link #close} closes them
     * @throws IllegalArgumentException if no library has the configured store, or if two stores for sessions are configured. The message
     *     names the key
     */
    public ServerSessionStores(
            SessionLimits limits, String location, Counters counters, @Nullable SessionStores given) {
        this(limits, location, counters, given, Parts.found());
    }

    ServerSessionStores(
            SessionLimits limits, String location, Counters counters, @Nullable SessionStores given, Parts parts) {
        this.limits = limits;
        this.gate = new StoreGate(
                limits.storeThreads(),
                limits.storeWait(),
                System::nanoTime,
                () -> counters.increment(Counter.SESSION_STORE_REFUSED));
        this.counters = counters;
        this.location = location;
        this.stores = given;
        this.format = limits.format().equals(Formats.JAVA) ? null : format(limits.format(), parts.attributeFormats());
        if (location.equals(NONE)) {
            provider = null;
            return;
        }
        if (given != null) {
            throw new IllegalArgumentException(
                    Key.SESSION_STORE.id() + ": cannot be set, since this program has its own session stores");
        }
        if (limits.directory() != null) {
            throw new IllegalArgumentException(Key.SESSION_STORE.id() + ": " + Key.SESSION_DIR.id()
                    + " is set, too; only one of them can store sessions");
        }
        provider = provider(location, parts.sessionStores());
    }

    private static AttributeFormat.Provider format(String name, List<AttributeFormat.Provider> providers) {
        List<String> known = new ArrayList<>(List.of(Formats.JAVA));
        for (AttributeFormat.Provider provider : providers) {
            if (provider.name().equals(name)) {
                return provider;
            }
            known.add(provider.name());
        }
        throw new IllegalArgumentException(Key.SESSION_FORMAT.id() + ": this server has no library for '" + name
                + "'; known are " + String.join(", ", known));
    }

    /**
     * Finds the provider for the scheme of the location, for example {@code redis}. Error messages contain only the scheme, because the
     * text after the scheme can contain a password.
     */
    private static SessionStoreProvider provider(String location, List<SessionStoreProvider> providers) {
        int colon = location.indexOf(':');
        String scheme = location.substring(0, Math.max(0, colon));
        List<String> known = new ArrayList<>();
        for (SessionStoreProvider provider : providers) {
            if (provider.scheme().equals(scheme)) {
                return provider;
            }
            known.add(provider.scheme());
        }
        Collections.sort(known);
        String problem = scheme.isEmpty()
                ? "does not begin with a kind of store and a colon"
                : "this server has no library for '" + scheme + "'" + remedy(scheme);
        throw new IllegalArgumentException(Key.SESSION_STORE.id() + ": " + problem
                + (known.isEmpty() ? "" : "; known are " + String.join(", ", known)));
    }

    /** Names the library of this project for the scheme, if there is one. */
    private static String remedy(String scheme) {
        String library =
                switch (scheme) {
                    case "jdbc" -> "penstock-session-jdbc";
                    case "redis", "rediss", "redis-sentinel", "rediss-sentinel", "redis-cluster", "rediss-cluster" ->
                        "penstock-session-redis";
                    default -> null;
                };
        return library == null ? "" : "; add io.penstock:" + library + " to its class path";
    }

    /** Makes an object that keeps all sessions in memory, with the default limits. */
    public static ServerSessionStores inMemory() {
        return new ServerSessionStores(ServerConfig.defaults().sessions(), NONE, new Counters(), null, Parts.NONE);
    }

    /**
     * Opens the sessions of one application, during its deployment.
     *
     * @param context the context path, as {@link io.penstock.address.ContextLocation} writes it
     * @param loader the class loader of the application. Session attributes can be objects of its classes
     * @throws IOException if the store cannot be opened, or if its contents cannot be read
     */
    SessionRepository of(String context, ClassLoader loader) throws IOException {
        SessionStores shared = stores();
        if (shared != null) {
            return PassivatedSessions.shared(
                    shared.of(context), gate, Formats.of(format, loader), limits.inMemory(), LONGEST_DELAY, counters);
        }
        return limits.directory() == null
                ? new MemorySessions()
                : PassivatedSessions.local(
                        folder(limits.directory(), context), Formats.of(format, loader), limits.inMemory(), counters);
    }

    /** The number of threads that are in a call of the session store, or that wait to call it. */
    public int storeThreads() {
        return gate.threads();
    }

    private synchronized @Nullable SessionStores stores() throws IOException {
        if (stores == null && provider != null) {
            try {
                stores = provider.open(location);
            } catch (IOException e) {
                throw new IOException(Key.SESSION_STORE.id() + ": " + e.getMessage(), e);
            }
        }
        return stores;
    }

    private synchronized FileSessionStore folder(Path directory, String context) throws IOException {
        try {
            if (lock == null) {
                lock(directory);
            }
            FileSessionStore known = folders.get(context);
            if (known == null) {
                known = FileSessionStore.open(directory.resolve(name(context)));
                folders.put(context, known);
            }
            return known;
        } catch (IOException e) {
            throw new IOException(Key.SESSION_DIR.id() + ": " + OperatorFile.explained(e), e);
        }
    }

    @GuardedBy("this")
    private void lock(Path directory) throws IOException {
        Path file = directory.resolve("lock");
        FileClaim claimed = FileClaim.of(file);
        if (claimed == null) {
            throw inUse(directory);
        }
        try {
            lock = locked(directory, file);
            claim = claimed;
        } finally {
            if (claim == null) {
                claimed.close();
            }
        }
    }

    private static FileChannel locked(Path directory, Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            LOG.debug("Another server of this process has locked {}", directory, e);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw inUse(directory);
    }

    private static IOException inUse(Path directory) {
        return new IOException(directory + " is used by another server");
    }

    /**
     * Converts a context path to the name of a folder. Letters, digits, {@code -} and {@code _} are kept. All other characters are escaped.
     * The name for the root of the default host is {@code root}.
     */
    private static String name(String context) {
        if (context.equals("/")) {
            return "root";
        }
        StringBuilder name = new StringBuilder("=");
        for (char c : context.substring(1).toCharArray()) {
            boolean plain = c < 0x80 && Character.isLetterOrDigit(c) || c == '-' || c == '_';
            name.append(plain ? String.valueOf(c) : "%" + Integer.toHexString(c) + "%");
        }
        return name.toString();
    }

    /**
     * The limit for the number of sessions of an application. With a store that other servers can share, only the sessions that wait for a
     * login are limited.
     */
    synchronized SessionLimit room(String context) {
        if (stores != null || provider != null) {
            return SessionLimit.onlyWaiting(limits, counters);
        }
        FileSessionStore folder = folders.get(context);
        int found = folder == null ? 0 : folder.size();
        return SessionLimit.of(limits, found, counters);
    }

    /** The route: the text that is appended to session ids, after a dot. Empty if no route is configured. */
    String route() {
        return limits.route();
    }

    @Override
    public synchronized void close() throws IOException {
        FileChannel held = lock;
        FileClaim claimed = claim;
        lock = null;
        claim = null;
        SessionStores shared = stores;
        stores = null;
        try {
            if (held != null) {
                held.close();
            }
        } finally {
            if (claimed != null) {
                claimed.close();
            }
        }
        if (shared != null) {
            try {
                shared.close();
            } catch (RuntimeException e) {
                LOG.error("The session stores were not closed", e);
            }
        }
    }
}
