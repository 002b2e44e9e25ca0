package io.penstock.security;

import io.penstock.ldap.LdapRealm;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.LoginLimits;
import io.penstock.limits.ServerConfig;
import io.penstock.memory.AddressKey;
import io.penstock.realm.ProvenPasswords;
import io.penstock.realm.Realm;
import io.penstock.request.HttpRequest;
import io.penstock.request.Identity;
import io.penstock.time.Clock;
import jakarta.servlet.ServletException;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Logs users in by the server's realm, and limits failed logins and concurrent password checks. All contexts share this object, so a
 * lock-out applies to all contexts.
 *
 * <p>Thread: workers, several at once. If the realm throws an exception, the request fails, and no failed login is counted.
 */
public final class Logins {
    private static final int NAME_KEPT = 64;

    /** The most characters of a name that are compared. A form can have a name of megabytes, and other spellings of it are even longer. */
    private static final int NAME_READ = 1024;

    private final Realm realm;
    private final LoginLimits limits;
    private final Counters counters;
    private final Clock clock;
    private final LockOuts lockOuts;
    private final PasswordChecks checks;

    /**
     * Passwords that were correct recently. {@link PasswordChecks} does not limit the checks of these passwords. The realm should remember
     * these passwords, too, and then such a check is fast. Otherwise it says so ({@link Realm#remembers}).
     */
    private final ProvenPasswords proven = new ProvenPasswords();

    public Logins(Realm realm, LoginLimits limits, Counters counters, Clock clock) {
        this.realm = realm;
        this.limits = limits;
        this.counters = counters;
        this.clock = clock;
        lockOuts = new LockOuts(limits, clock, () -> count(Counter.LOGIN_FAILURES_FORGOTTEN));
        checks = new PasswordChecks(limits.passwordChecks());
    }

    /** Logins for a server without users. Every attempt fails. */
    public static Logins none() {
        return new Logins(Realm.NONE, ServerConfig.defaults().logins(), new Counters(), Clock.SYSTEM);
    }

    LoginLimits limits() {
        return limits;
    }

    Clock clock() {
        return clock;
    }

    boolean hasUsers() {
        return realm != Realm.NONE;
    }

    /** Whether the users are in a directory, which accepts only passwords. */
    boolean needsPasswords() {
        return realm instanceof LdapRealm;
    }

    void count(Counter counter) {
        counters.increment(counter);
    }

    Attempt withPassword(HttpRequest request, String type, String name, String password) throws ServletException {
        Client client = client(request, name);
        Attempt.LockedOut locked = lockedOut(client);
        if (locked != null) {
            return locked;
        }
        Callable<Realm.@Nullable User> lookup = () -> realm.authenticate(name, password);
        if (proven.contains(name, password) && realm.remembers(name, password)) {
            return attempt(client, type, lookup, name, password);
        }
        if (!checks.begin(client.address())) {
            count(Counter.PASSWORD_CHECKS_REFUSED);
            return new Attempt.Busy();
        }
        try {
            return attempt(client, type, lookup, name, password);
        } finally {
            checks.end(client.address());
        }
    }

    /** Remembers a correct password. Forgets a wrong password, because this password can have been correct before. */
    private Attempt attempt(
            Client client, String type, Callable<Realm.@Nullable User> lookup, String name, String password)
            throws ServletException {
        Attempt attempt = attempt(client, type, lookup);
        if (attempt instanceof Attempt.Succeeded) {
            proven.add(name, password);
        } else {
            proven.remove(name, password);
        }
        return attempt;
    }

    /**
     * Checks a Digest login. The number of Digest checks at one time is not limited, because a check computes only short hashes.
     *
     * @param isRight whether the client's answer was made with the given secret. For an unknown user, the predicate is called with an
     *     invented secret
     */
    Attempt withDigest(
            HttpRequest request,
            String type,
            String name,
            String realmName,
            DigestAlgorithm algorithm,
            Predicate<String> isRight)
            throws ServletException {
        Client client = client(request, name);
        Attempt.LockedOut locked = lockedOut(client);
        if (locked != null) {
            return locked;
        }
        return attempt(client, type, () -> {
            Realm.DigestUser found = realm.digest(name, realmName, algorithm.id());
            boolean right = isRight.test(found == null ? algorithm.hash(name) : found.secret());
            return found == null || !right ? null : found.user();
        });
    }

    Attempt withCertificates(String type, List<X509Certificate> chain) throws ServletException {
        Realm.User found = ask(() -> realm.authenticate(chain));
        if (found == null) {
            count(Counter.LOGIN_FAILURES);
            return new Attempt.Failed();
        }
        return new Attempt.Succeeded(Identity.of(type, found.name(), found.roles()));
    }

    /** The name and the address of a login attempt. */
    private record Client(String name, String address) {}

    private static Client client(HttpRequest request, String name) {
        // Directories and many databases take several spellings for one name. So all of them have one count.
        String read = name.length() <= NAME_READ ? name : name.substring(0, NAME_READ);
        String folded = Normalizer.normalize(read, Normalizer.Form.NFKC)
                .toLowerCase(Locale.ROOT)
                .strip()
                .replaceAll(" +", " ");
        String kept = folded.length() <= NAME_KEPT ? folded : folded.substring(0, NAME_KEPT) + folded.hashCode();
        return new Client(kept, network(request.state().exchange().peer().remoteIp()));
    }

    private Attempt.@Nullable LockedOut lockedOut(Client client) {
        int seconds = lockOuts.lockedFor(client.name(), client.address());
        if (seconds == 0) {
            return null;
        }
        count(Counter.LOGINS_LOCKED_OUT);
        return new Attempt.LockedOut(seconds);
    }

    private Attempt attempt(Client client, String type, Callable<Realm.@Nullable User> lookup) throws ServletException {
        Realm.User found = ask(lookup);
        if (found == null) {
            lockOuts.failed(client.name(), client.address());
            count(Counter.LOGIN_FAILURES);
            return new Attempt.Failed();
        }
        lockOuts.succeeded(client.name(), client.address());
        return new Attempt.Succeeded(Identity.of(type, found.name(), found.roles()));
    }

    private static Realm.@Nullable User ask(Callable<Realm.@Nullable User> lookup) throws ServletException {
        try {
            return lookup.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServletException("Interrupted while the realm was asked", e);
        } catch (Exception e) {
            throw new ServletException("The realm failed", e);
        }
    }

    /** The IPv4 address, or the network of an IPv6 address. All clients of Unix domain sockets count as one address. */
    private static String network(@Nullable InetAddress address) {
        return address == null ? "" : Long.toHexString(AddressKey.of(address));
    }
}
