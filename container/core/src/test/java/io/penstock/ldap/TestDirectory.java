package io.penstock.ldap;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSimpleBindRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.RDN;
import io.penstock.certificates.Issued;
import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A directory in memory, with people and groups below {@code dc=example,dc=org}. It records what clients ask. */
public final class TestDirectory implements AutoCloseable {
    public static final String BASE = "dc=example,dc=org";
    public static final String PEOPLE = "ou=people," + BASE;
    public static final String GROUPS = "ou=groups," + BASE;
    public static final String SERVER = "cn=server," + BASE;
    public static final String SERVER_PASSWORD = "secret of the server";

    private static final String PLAIN = "plain";
    private static final String TLS = "tls";

    /** The requests: {@code bind DN} and {@code search FILTER}. */
    public final List<String> requests = new CopyOnWriteArrayList<>();

    /** While it is set, each check of a user's password waits for it. */
    public final AtomicReference<@Nullable CountDownLatch> barrier = new AtomicReference<>();

    private final InMemoryDirectoryServer server;

    TestDirectory(@Nullable Issued certificate) throws Exception {
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(BASE);
        config.addAdditionalBindCredentials(SERVER, SERVER_PASSWORD);
        config.addInMemoryOperationInterceptor(new Recorder());
        InetAddress here = InetAddress.getByName("127.0.0.1");
        if (certificate == null) {
            config.setListenerConfigs(InMemoryListenerConfig.createLDAPConfig(PLAIN, here, 0, null));
        } else {
            SSLContext context = context(certificate);
            config.setListenerConfigs(
                    InMemoryListenerConfig.createLDAPConfig(PLAIN, here, 0, context.getSocketFactory()),
                    InMemoryListenerConfig.createLDAPSConfig(TLS, here, 0, context.getServerSocketFactory(), null));
        }
        server = new InMemoryDirectoryServer(config);
        server.add("dn: " + BASE, "objectClass: domain", "dc: example");
        server.add("dn: " + PEOPLE, "objectClass: organizationalUnit", "ou: people");
        server.add("dn: " + GROUPS, "objectClass: organizationalUnit", "ou: groups");
        server.startListening();
    }

    /** A directory with Ann, whose password is {@code secret}, and who is in the groups staff and admin. */
    public static TestDirectory withAnn() throws Exception {
        return withAnn(null);
    }

    public static TestDirectory withAnn(@Nullable Issued certificate) throws Exception {
        TestDirectory directory = new TestDirectory(certificate);
        String ann = directory.person("ann", "secret", "clerk");
        String bob = directory.person("bob", "other");
        directory.group("staff", ann, bob);
        directory.group("admin", ann);
        return directory;
    }

    private static SSLContext context(Issued certificate) throws GeneralSecurityException, IOException {
        char[] password = "any".toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "directory", certificate.keys().getPrivate(), password, new Certificate[] {certificate.certificate()});
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    /** Adds a person, and returns the DN. */
    public String person(String name, String password, String... titles) throws LDAPException {
        return personBelow(PEOPLE, name, password, titles);
    }

    String personBelow(String parent, String name, String password, String... titles) throws LDAPException {
        Entry entry = new Entry(new DN(new RDN("uid", name), new DN(parent)));
        entry.addAttribute("objectClass", "inetOrgPerson");
        entry.addAttribute("uid", name);
        entry.addAttribute("cn", name);
        entry.addAttribute("sn", name);
        entry.addAttribute("userPassword", password);
        if (titles.length > 0) {
            entry.addAttribute("title", titles);
        }
        server.add(entry);
        return entry.getDN();
    }

    void group(String name, String... members) throws LDAPException {
        Entry entry = new Entry(new DN(new RDN("cn", name), new DN(GROUPS)));
        entry.addAttribute("objectClass", "groupOfNames");
        entry.addAttribute("cn", name);
        entry.addAttribute("member", members);
        server.add(entry);
    }

    public InMemoryDirectoryServer server() {
        return server;
    }

    public String url() {
        return "ldap://127.0.0.1:" + server.getListenPort(PLAIN);
    }

    String tlsUrl(String host) {
        return "ldaps://" + host + ":" + server.getListenPort(TLS);
    }

    /** The number of password checks of users. */
    public long checks() {
        return requests.stream()
                .filter(request -> request.startsWith("bind ") && !request.contains(SERVER))
                .count();
    }

    @Override
    public void close() {
        CountDownLatch waiting = barrier.getAndSet(null);
        if (waiting != null) {
            waiting.countDown();
        }
        server.shutDown(true);
    }

    private final class Recorder extends InMemoryOperationInterceptor {
        @Override
        public void processSimpleBindRequest(InMemoryInterceptedSimpleBindRequest request) {
            String dn = request.getRequest().getBindDN();
            requests.add("bind " + dn);
            CountDownLatch waiting = barrier.get();
            if (waiting != null && !dn.equals(SERVER)) {
                try {
                    waiting.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void processSearchRequest(InMemoryInterceptedSearchRequest request) {
            requests.add("search " + request.getRequest().getFilter());
        }
    }
}
