package io.penstock.ldap;

import io.penstock.limits.Key;
import io.penstock.limits.Ldap;
import io.penstock.limits.Switch;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.naming.AuthenticationException;
import javax.naming.Context;
import javax.naming.InvalidNameException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NoPermissionException;
import javax.naming.OperationNotSupportedException;
import javax.naming.PartialResultException;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import javax.naming.directory.Attribute;
import javax.naming.directory.Attributes;
import javax.naming.directory.InvalidAttributeValueException;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import javax.naming.ldap.LdapContext;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.naming.ldap.StartTlsRequest;
import javax.naming.ldap.StartTlsResponse;
import javax.naming.spi.NamingManager;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a directory for users (RFC 4511), by JNDI. Each login opens one or two connections, and closes them at its end. Referrals are
 * ignored.
 *
 * <p>Thread: any. A call waits for the directory, within the timeouts of {@link Ldap}.
 */
final class LdapDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(LdapDirectory.class);
    private static final String FACTORY = "com.sun.jndi.ldap.LdapCtxFactory";
    private static final String[] NO_ATTRIBUTES = {"1.1"}; // RFC 4511 section 4.5.1.8
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([01])\\}");
    private static final long MOST_GROUPS = 1000;

    private final Ldap ldap;
    private final @Nullable SSLSocketFactory tls;

    /** The name of an entry that does not exist. The password of an unknown user is checked against it, in vain. */
    private final String nobody = UUID.randomUUID().toString();

    /** @param tls makes TLS connections; null for the factory of Java */
    LdapDirectory(Ldap ldap, @Nullable SSLSocketFactory tls) {
        this.ldap = ldap;
        this.tls = tls;
    }

    /** An entry: its DN, and the values of the attribute with roles. */
    private record Entry(String dn, Set<String> roles) {}

    /**
     * Logs in to the directory as the user, and finds the roles. A wrong password and an unknown user need the same number of requests.
     *
     * @param name the user's name; not empty
     * @param password the password; not empty, because directories accept each name without a password (RFC 4513 section 5.1.2)
     * @return the roles; null if the password is wrong or the user does not exist
     * @throws NamingException if this directory does not answer, or answers with an error
     */
    @Nullable
    Set<String> roles(URI url, String name, String password) throws NamingException {
        return ldap.users() == null ? byPattern(url, name, password) : bySearch(url, ldap.users(), name, password);
    }

    private @Nullable Set<String> byPattern(URI url, String name, String password) throws NamingException {
        for (String pattern : ldap.patterns()) {
            String dn = filled(pattern, Rdn.escapeValue(name), "");
            try (Connection user = login(url, dn, password)) {
                if (user != null) {
                    return withGroups(url, new Entry(dn, user.rolesOf(dn)), name, user);
                }
            }
        }
        return null;
    }

    private @Nullable Set<String> bySearch(URI url, Ldap.Search search, String name, String password)
            throws NamingException {
        try (Connection server = openForServer(url)) {
            Entry entry = server.user(search, name);
            String dn = entry == null ? "cn=" + nobody + "," + search.base() : entry.dn();
            try (Connection user = login(url, dn, password)) {
                if (user == null || entry == null) {
                    return null;
                }
                return groups(entry, name, ldap.account() == null ? user : server);
            }
        }
    }

    private Set<String> withGroups(URI url, Entry entry, String name, Connection user) throws NamingException {
        if (ldap.account() == null || ldap.groups() == null) {
            return groups(entry, name, user);
        }
        try (Connection server = openForServer(url)) {
            return groups(entry, name, server);
        }
    }

    private Set<String> groups(Entry entry, String name, Connection connection) throws NamingException {
        Set<String> roles = new HashSet<>(entry.roles());
        if (ldap.groups() != null) {
            roles.addAll(connection.groups(ldap.groups(), entry.dn(), name));
        }
        return roles;
    }

    private Connection openForServer(URI url) throws NamingException {
        try {
            return open(url, ldap.account());
        } catch (AuthenticationException e) {
            throw failure("the directory refuses " + Key.REALM_LDAP_USER.id(), e);
        }
    }

    /** Opens a connection, and logs in with the DN. Returns null if the directory refuses the DN or the password. */
    private @Nullable Connection login(URI url, String dn, String password) throws NamingException {
        try {
            return open(url, new Ldap.Account(dn, password));
        } catch (AuthenticationException
                | NoPermissionException
                | OperationNotSupportedException
                | InvalidAttributeValueException
                | InvalidNameException e) {
            // Directories use several codes for accounts that are locked or have expired (RFC 4511 appendix A.2).
            LOG.debug("The directory {} has refused a login", url, e);
            return null;
        }
    }

    /** @param account null to log in to the directory without a name */
    private Connection open(URI url, Ldap.@Nullable Account account) throws NamingException {
        LdapSockets.use(tls);
        boolean startTls = ldap.startTls() == Switch.ON;
        Connection connection = new Connection(context(url, environment(url, startTls ? null : account)));
        if (!startTls) {
            return connection;
        }
        try {
            connection.startTls();
            if (account != null) {
                connection.login(account);
            }
            return connection;
        } catch (NamingException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private Hashtable<String, Object> environment(URI url, Ldap.@Nullable Account account) {
        Hashtable<String, Object> environment = new Hashtable<>();
        environment.put(Context.REFERRAL, "ignore");
        environment.put("java.naming.ldap.version", "3");
        environment.put("com.sun.jndi.ldap.connect.timeout", Integer.toString(millis(ldap.connectTimeout())));
        environment.put("com.sun.jndi.ldap.read.timeout", Integer.toString(millis(ldap.readTimeout())));
        if (tls != null && Ldap.isTls(url)) {
            environment.put("java.naming.ldap.factory.socket", LdapSockets.class.getName());
        }
        if (account == null) {
            environment.put(Context.SECURITY_AUTHENTICATION, "none");
        } else {
            environment.put(Context.SECURITY_AUTHENTICATION, "simple");
            environment.put(Context.SECURITY_PRINCIPAL, account.dn());
            environment.put(Context.SECURITY_CREDENTIALS, account.password().getBytes(StandardCharsets.UTF_8));
        }
        return environment;
    }

    private static int millis(Duration time) {
        return Saturated.count(Math.max(1, Saturated.millis(time)));
    }

    /** Connects. Not by an initial context, because its factory is that of the JVM, and {@code jndi.properties} of applications change it. */
    private static LdapContext context(URI url, Hashtable<String, Object> environment) throws NamingException {
        Reference reference =
                new Reference(LdapContext.class.getName(), new StringRefAddr("URL", url.toString()), FACTORY, null);
        try {
            return (LdapContext) NamingManager.getObjectInstance(reference, null, null, environment);
        } catch (NamingException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw failure("no connection to " + url, e);
        }
    }

    private static NamingException failure(String explanation, Exception cause) {
        NamingException failure = new NamingException(explanation);
        failure.setRootCause(cause);
        return failure;
    }

    /** An open connection. It asks only the operator's directory, and only for attributes, never for Java objects. */
    @SuppressWarnings("BanJNDI")
    private final class Connection implements AutoCloseable {
        private final LdapContext context;

        Connection(LdapContext context) {
            this.context = context;
        }

        void startTls() throws NamingException {
            try {
                StartTlsResponse response = (StartTlsResponse) context.extendedOperation(new StartTlsRequest());
                SSLSocketFactory factory = tls == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : tls;
                response.negotiate(new BoundedHandshakes(
                        factory, Saturated.count((long) millis(ldap.connectTimeout()) + millis(ldap.readTimeout()))));
            } catch (IOException e) {
                throw failure("StartTLS has failed", e);
            }
        }

        void login(Ldap.Account account) throws NamingException {
            context.addToEnvironment(Context.SECURITY_AUTHENTICATION, "simple");
            context.addToEnvironment(Context.SECURITY_PRINCIPAL, account.dn());
            context.addToEnvironment(
                    Context.SECURITY_CREDENTIALS, account.password().getBytes(StandardCharsets.UTF_8));
            context.reconnect(null);
        }

        /** The roles in the entry of a user. */
        Set<String> rolesOf(String dn) throws NamingException {
            String attribute = ldap.rolesAttribute();
            return attribute == null
                    ? Set.of()
                    : values(context.getAttributes(new LdapName(dn), new String[] {attribute}), attribute);
        }

        @Nullable
        Entry user(Ldap.Search search, String name) throws NamingException {
            String attribute = ldap.rolesAttribute();
            String[] attributes = attribute == null ? NO_ATTRIBUTES : new String[] {attribute};
            String filter = filled(search.filter(), escaped(name), "");
            NamingEnumeration<SearchResult> results =
                    context.search(new LdapName(search.base()), filter, controls(search.subtree(), 2, attributes));
            try {
                if (!hasMore(results)) {
                    return null;
                }
                SearchResult result = results.next();
                if (hasMore(results)) {
                    throw new NamingException("more than one user has that name");
                }
                return new Entry(
                        result.getNameInNamespace(),
                        attribute == null ? Set.of() : values(result.getAttributes(), attribute));
            } finally {
                results.close();
            }
        }

        Set<String> groups(Ldap.Search search, String dn, String name) throws NamingException {
            String filter = filled(search.filter(), escaped(dn), escaped(name));
            NamingEnumeration<SearchResult> results = context.search(
                    new LdapName(search.base()),
                    filter,
                    controls(search.subtree(), MOST_GROUPS, new String[] {ldap.groupName()}));
            Set<String> roles = new HashSet<>();
            try {
                while (hasMore(results)) {
                    roles.addAll(values(results.next().getAttributes(), ldap.groupName()));
                }
                return roles;
            } finally {
                results.close();
            }
        }

        @Override
        public void close() {
            try {
                context.close();
            } catch (NamingException e) {
                LOG.debug("A connection to the directory could not be closed in order", e);
            }
        }
    }

    private SearchControls controls(Switch subtree, long most, String[] attributes) {
        return new SearchControls(
                subtree == Switch.ON ? SearchControls.SUBTREE_SCOPE : SearchControls.ONELEVEL_SCOPE,
                most,
                millis(ldap.readTimeout()),
                attributes,
                false,
                false);
    }

    /** Referrals are ignored, but JNDI reports them by an exception behind the last entry. Active Directory sends them by habit. */
    private static boolean hasMore(NamingEnumeration<SearchResult> results) throws NamingException {
        try {
            return results.hasMore();
        } catch (PartialResultException referrals) {
            return false;
        }
    }

    private static Set<String> values(Attributes attributes, String name) throws NamingException {
        Set<String> values = new HashSet<>();
        Attribute attribute = attributes.get(name);
        if (attribute != null) {
            NamingEnumeration<?> all = attribute.getAll();
            while (all.hasMore()) {
                Object value = all.next();
                if (value instanceof String text) {
                    values.add(text);
                }
            }
        }
        return values;
    }

    /** Puts values, which are escaped, in the place of <code>{0}</code> and <code>{1}</code>. */
    static String filled(String template, String zero, String one) {
        return PLACEHOLDER
                .matcher(template)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1).equals("0") ? zero : one));
    }

    /** Escapes a value for a filter (RFC 4515 section 3), also the spaces at its ends. */
    static String escaped(String value) {
        StringBuilder escaped = new StringBuilder(value.length() + 8);
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean atEnd = i == 0 || i == value.length() - 1;
            switch (c) {
                case '\0' -> escaped.append("\\00");
                case '(' -> escaped.append("\\28");
                case ')' -> escaped.append("\\29");
                case '*' -> escaped.append("\\2a");
                case '\\' -> escaped.append("\\5c");
                case ' ' -> escaped.append(atEnd ? "\\20" : " ");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }

    /**
     * Bounds the TLS handshake of StartTLS, which JNDI does not bound. Each read of such a connection has this bound, which is longer than a
     * connection is idle.
     */
    private static final class BoundedHandshakes extends SSLSocketFactory {
        private final SSLSocketFactory factory;
        private final int timeout;

        /** @param timeout in milliseconds */
        BoundedHandshakes(SSLSocketFactory factory, int timeout) {
            this.factory = factory;
            this.timeout = timeout;
        }

        private Socket bounded(Socket socket) throws IOException {
            socket.setSoTimeout(timeout);
            return socket;
        }

        @Override
        public Socket createSocket(Socket under, String host, int port, boolean autoClose) throws IOException {
            return bounded(factory.createSocket(under, host, port, autoClose));
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return bounded(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
            return bounded(factory.createSocket(host, port, local, localPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return bounded(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
            return bounded(factory.createSocket(host, port, local, localPort));
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return factory.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return factory.getSupportedCipherSuites();
        }
    }
}
