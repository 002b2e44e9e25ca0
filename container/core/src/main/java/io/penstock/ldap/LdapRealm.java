package io.penstock.ldap;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.certificates.Authorities;
import io.penstock.certificates.TlsSetupException;
import io.penstock.limits.Key;
import io.penstock.limits.Ldap;
import io.penstock.limits.Switch;
import io.penstock.realm.ProvenPasswords;
import io.penstock.realm.Realm;
import io.penstock.time.Clock;
import io.penstock.time.RateLimitedLog;
import io.penstock.time.Saturated;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.naming.InterruptedNamingException;
import javax.naming.InvalidNameException;
import javax.naming.NamingException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users of an LDAP directory. The directory checks the password of a user (simple bind, RFC 4513 section 5.1.3). The realm remembers
 * correct passwords and the roles of their users for a short time. It does not know the passwords, so that users cannot log in with Digest.
 *
 * <p>If no URL of the directory answers, {@link #authenticate} throws the exception of the last one, and the log has a line. The next login
 * asks again.
 *
 * <p>Thread: workers, several at once. A call waits for the directory, unless {@link #remembers}.
 */
public final class LdapRealm implements Realm {
    private static final Logger LOG = LoggerFactory.getLogger(LdapRealm.class);
    private static final int REMEMBERED = 1000;

    /** No user has a longer name or password. Each login sends both to the directory. */
    private static final int LONGEST = 1024;

    private final Ldap ldap;
    private final LdapDirectory directory;
    private final Clock clock;
    private final long rememberedNanos;
    private final RateLimitedLog failures = new RateLimitedLog();
    private final ProvenPasswords proven = new ProvenPasswords();

    /** The number of the URL that answered last. */
    private volatile int answering;

    /** The users who have logged in, by the name that they have written. */
    @GuardedBy("this")
    private final Map<String, Remembered> remembered = new LinkedHashMap<>(64, 0.75f, true);

    @GuardedBy("this")
    private long logins;

    /**
     * A user whose password was right.
     *
     * @param owner identifies this login for {@link ProvenPasswords}
     * @param until the end, in nanoseconds of the clock
     * @param renewing whether a thread asks the directory again. Meanwhile, the login is still valid for other threads. So the requests of
     *     a page do not ask all at the same time
     */
    private record Remembered(User user, String owner, long until, AtomicBoolean renewing) {}

    private LdapRealm(Ldap ldap, @Nullable SSLSocketFactory tls, Clock clock) {
        this.ldap = ldap;
        this.directory = new LdapDirectory(ldap, tls);
        this.clock = clock;
        this.rememberedNanos = Saturated.nanos(ldap.remembered());
    }

    /**
     * Makes the realm. Opens no connection.
     *
     * @throws IllegalArgumentException if a DN is malformed; the message names the key
     * @throws TlsSetupException if the file of authorities cannot be used; the message names the file
     */
    public static LdapRealm of(Ldap ldap) throws TlsSetupException {
        return of(ldap, Clock.SYSTEM);
    }

    static LdapRealm of(Ldap ldap, Clock clock) throws TlsSetupException {
        ldap.patterns().forEach(pattern -> requireDn(Key.REALM_LDAP_USER_PATTERN, pattern));
        if (ldap.users() != null) {
            requireDn(Key.REALM_LDAP_USER_BASE, ldap.users().base());
        }
        if (ldap.groups() != null) {
            requireDn(Key.REALM_LDAP_ROLE_BASE, ldap.groups().base());
        }
        for (URI url : ldap.urls()) {
            if (!Ldap.isTls(url) && ldap.startTls() == Switch.OFF && !isThisMachine(url)) {
                LOG.warn(
                        "Passwords are sent to {} without encryption: use ldaps://, or set {}",
                        url,
                        Key.REALM_LDAP_START_TLS.id());
            }
        }
        return new LdapRealm(
                ldap,
                ldap.trust() == null ? null : Authorities.trusting(ldap.trust()).getSocketFactory(),
                clock);
    }

    private static void requireDn(Key key, String text) {
        try {
            if (new LdapName(LdapDirectory.filled(text, "x", "")).isEmpty()) {
                throw new IllegalArgumentException(key.id() + " has an empty DN");
            }
        } catch (InvalidNameException e) {
            throw new IllegalArgumentException(key.id() + " has a malformed DN: '" + text + "'", e);
        }
    }

    private static boolean isThisMachine(URI url) {
        try {
            return InetAddress.getByName(url.getHost()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            LOG.warn("{}: unknown host {}", Key.REALM_LDAP_URL.id(), url.getHost());
            return true;
        }
    }

    @Override
    public @Nullable User authenticate(String name, String password) throws NamingException, InterruptedException {
        if (!isUsual(name)
                || !isUsual(password)
                || !name.equals(name.strip())
                || name.chars().anyMatch(LdapRealm::isUnseen)) {
            // Directories ignore spaces at the ends of names, and characters that nobody sees, but applications do not.
            return null;
        }
        Remembered known = known(name, password);
        if (known != null && (isCurrent(known) || !known.renewing.compareAndSet(false, true))) {
            return known.user;
        }
        try {
            User user = ask(name, password);
            if (user != null) {
                remember(user, password);
            }
            return user;
        } finally {
            forget(name, known); // does nothing if remember() has put another login in its place
        }
    }

    @Override
    public boolean remembers(String name, String password) {
        Remembered known = known(name, password);
        return known != null && (isCurrent(known) || known.renewing.get());
    }

    /** A name or password that the directory may see. Without a password, it would accept any name (RFC 4513 section 5.1.2). */
    private static boolean isUsual(String text) {
        return !text.isEmpty() && text.length() <= LONGEST && text.chars().noneMatch(Character::isISOControl);
    }

    private static boolean isUnseen(int character) {
        return Character.getType(character) == Character.FORMAT
                || (Character.isSpaceChar(character) && character != ' ');
    }

    private boolean isCurrent(Remembered known) {
        return known.until - clock.nanos() > 0;
    }

    private @Nullable Remembered known(String name, String password) {
        Remembered known;
        synchronized (this) {
            known = remembered.get(name);
        }
        return known != null && proven.contains(known.owner, password) ? known : null;
    }

    private void remember(User user, String password) {
        if (rememberedNanos == 0) {
            return;
        }
        Remembered login;
        synchronized (this) {
            String owner = user.name() + ' ' + logins++;
            login = new Remembered(user, owner, clock.nanos() + rememberedNanos, new AtomicBoolean());
        }
        proven.add(login.owner, password);
        synchronized (this) {
            remembered.put(user.name(), login);
            if (remembered.size() > REMEMBERED) {
                remembered.remove(remembered.keySet().iterator().next());
            }
        }
    }

    private synchronized void forget(String name, @Nullable Remembered known) {
        if (known != null) {
            remembered.remove(name, known);
        }
    }

    private @Nullable User ask(String name, String password) throws NamingException, InterruptedException {
        Thread thread = Thread.currentThread();
        ClassLoader ofApplication = thread.getContextClassLoader();
        // JNDI loads its classes by this loader, and its threads keep it.
        thread.setContextClassLoader(LdapRealm.class.getClassLoader());
        try {
            Set<String> roles = ofFirstThatAnswers(name, password);
            return roles == null ? null : new User(name, roles);
        } finally {
            LdapSockets.use(null);
            thread.setContextClassLoader(ofApplication);
        }
    }

    private @Nullable Set<String> ofFirstThatAnswers(String name, String password)
            throws NamingException, InterruptedException {
        List<URI> urls = ldap.urls();
        int first = answering;
        NamingException last = null;
        for (int i = 0; i < urls.size(); i++) {
            int number = (first + i) % urls.size();
            try {
                Set<String> roles = directory.roles(urls.get(number), name, password);
                answering = number;
                return roles;
            } catch (InterruptedNamingException e) {
                throw (InterruptedException) new InterruptedException("while a directory was asked").initCause(e);
            } catch (NamingException e) {
                failures.warn(LOG, "The directory " + urls.get(number) + " has failed", e);
                last = e;
            }
        }
        throw last == null ? new NamingException("no directory") : last;
    }
}
