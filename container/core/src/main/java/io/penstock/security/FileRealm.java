package io.penstock.security;

import io.penstock.limits.OperatorFile;
import io.penstock.realm.PasswordHash;
import io.penstock.realm.Passwords;
import io.penstock.realm.Realm;
import io.penstock.time.Clock;
import io.penstock.time.RateLimitedLog;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users of a file ({@link UserLine}). The file is read again when it has changed. If the file cannot be read or has an error, the error
 * is logged, and the users of the previous version remain valid.
 *
 * <p>Thread: workers. A worker checks at most once a second whether the file has changed, and reads a changed file. {@link #readAgain}: any
 * thread that may wait for the disk.
 */
public final class FileRealm implements Realm {
    private static final Logger LOG = LoggerFactory.getLogger(FileRealm.class);
    private static final long CHECK_INTERVAL = Saturated.nanos(Duration.ofSeconds(1));

    private final Path file;
    private final Clock clock;
    private final Passwords passwords = new Passwords();
    private final AtomicLong lastCheck;

    /** Each login can find that the file has gone, or that its disk has failed. */
    private final RateLimitedLog unreadable;

    private volatile Version version;
    private volatile Table users;

    /** Identifies a version of the file. After a change of the file, its version differs. */
    private record Version(FileTime modified, long size) {}

    /**
     * The contents of a file.
     *
     * @param slowest the most expensive password hash; null for none. A login with an unknown name takes as long as one with it, so that
     *     the time does not reveal that the name is unknown
     */
    private record Table(
            Map<String, UserLine> byName, @Nullable PasswordHash slowest) {}

    private FileRealm(Path file, Clock clock, Version version, Table users) {
        this.file = file;
        this.clock = clock;
        this.version = version;
        this.users = users;
        this.lastCheck = new AtomicLong(clock.nanos());
        this.unreadable = new RateLimitedLog(clock, Duration.ofMinutes(1));
    }

    /** @throws IOException if the file cannot be read or has an error; the one-line message names the file and the line */
    public static FileRealm of(Path file) throws IOException {
        return of(file, Clock.SYSTEM);
    }

    static FileRealm of(Path file, Clock clock) throws IOException {
        return new FileRealm(file, clock, version(file), read(file));
    }

    private static Version version(Path file) throws IOException {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return new Version(found.lastModifiedTime(), found.size());
        } catch (IOException e) {
            throw new IOException(file + ": " + OperatorFile.reason(e), e);
        }
    }

    private static Table read(Path file) throws IOException {
        List<String> lines = OperatorFile.lines(file);
        Map<String, UserLine> users = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            try {
                UserLine user = UserLine.parse(line);
                if (users.put(user.name(), user) != null) {
                    throw new IllegalArgumentException("the file has a user of that name already");
                }
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ":" + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        PasswordHash slowest = null;
        PasswordHash quickest = null;
        for (UserLine user : users.values()) {
            PasswordHash hash = user.password();
            if (hash != null) {
                slowest = slowest == null || hash.cost() > slowest.cost() ? hash : slowest;
                quickest = quickest == null || hash.cost() < quickest.cost() ? hash : quickest;
            }
        }
        if (quickest != null && quickest.isWeak()) {
            LOG.warn(
                    "{} has hashes of passwords that are quick to guess if somebody gets the file ({}). Make new lines by"
                            + " --hash-password NAME",
                    file,
                    quickest);
        }
        return new Table(Map.copyOf(users), slowest);
    }

    @Override
    public @Nullable User authenticate(String name, String password) {
        Table now = current();
        UserLine line = now.byName().get(name);
        PasswordHash hash = line == null ? null : line.password();
        boolean right = passwords.matches(password, hash, now.slowest());
        return line == null || !right ? null : line.user();
    }

    @Override
    public @Nullable DigestUser digest(String name, String realm, String algorithm) {
        UserLine line = current().byName().get(name);
        DigestAlgorithm known = DigestAlgorithm.named(algorithm);
        String secret = line == null || known == null ? null : line.digests().get(known);
        return line == null || secret == null ? null : new DigestUser(line.user(), secret);
    }

    /** The user's name is the certificate's subject, such as {@code CN=Ann, O=Acme}. */
    @Override
    public @Nullable User authenticate(List<X509Certificate> chain) {
        UserLine line =
                current().byName().get(chain.get(0).getSubjectX500Principal().toString());
        return line == null ? null : line.user();
    }

    /** Users that have been read from the file, but are not in use before {@link #apply} is called. */
    public final class Renewal {
        private final Version found;
        private final Table table;

        private Renewal(Version found, Table table) {
            this.found = found;
            this.table = table;
        }

        /** Whether the file has changed. */
        public boolean isChange() {
            return !found.equals(version);
        }

        /** Makes the new users valid, beginning with the next login. */
        public void apply() {
            version = found;
            users = table;
        }
    }

    /**
     * Reads the file at once. The users of the file are not in use before {@link Renewal#apply} is called.
     *
     * @throws IOException if the file cannot be read or has an error; the one-line message names the file and the line
     */
    public Renewal readAgain() throws IOException {
        // The version is read before the contents. So if the file changes between the two reads, the next check finds
        // the change.
        return new Renewal(version(file), read(file));
    }

    private Table current() {
        long last = lastCheck.get();
        long now = clock.nanos();
        if (now - last >= CHECK_INTERVAL && lastCheck.compareAndSet(last, now)) {
            reload();
        }
        return users;
    }

    private void reload() {
        Version found;
        try {
            found = version(file);
        } catch (IOException e) {
            unreadable.warn(LOG, "The users have not changed", String.valueOf(e.getMessage()), e);
            return;
        }
        if (found.equals(version)) {
            return;
        }
        // The version is set before the file is read, so that a file with an error is logged only once.
        version = found;
        try {
            users = read(file);
            LOG.info("The users of {} have been read again", file);
        } catch (IOException e) {
            LOG.error("The users have not changed: {}", e.getMessage());
        }
    }
}
