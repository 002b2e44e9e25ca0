package io.penstock.server;

import io.penstock.certificates.TlsSetupException;
import io.penstock.ldap.LdapRealm;
import io.penstock.limits.Key;
import io.penstock.limits.Ldap;
import io.penstock.limits.LoginLimits;
import io.penstock.realm.Realm;
import io.penstock.security.FileRealm;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds a server's realm: the realm of the embedding program, the realm of {@code realm-file} or of a directory, or none. */
final class ConfiguredRealm {
    private static final String NONE = "none";

    private ConfiguredRealm() {}

    /**
     * Returns the realm. Reads the file {@code realm-file}, if it is configured.
     *
     * @param realm the realm of the embedding program, or null for the configured realm
     * @throws IllegalArgumentException if there are two realms. The message names the key
     */
    static Realm of(LoginLimits config, @Nullable Realm realm) throws ServerStartException {
        if (realm == null && !config.realmDataSource().equals(NONE)) {
            throw new IllegalArgumentException(Key.REALM_DATA_SOURCE.id()
                    + " is only for penstock.jar: a program must give a JdbcRealm to its builder");
        }
        if (config.ldap().isOn()) {
            return directory(config.ldap(), realm);
        }
        if (config.realmFile().equals(NONE)) {
            return realm == null ? Realm.NONE : realm;
        }
        if (realm != null) {
            throw new IllegalArgumentException(Key.REALM_FILE.id() + " is set, and the program has a realm of its own");
        }
        try {
            return FileRealm.of(Path.of(config.realmFile()));
        } catch (IOException | InvalidPathException e) {
            throw new ServerStartException(Key.REALM_FILE.id() + ": " + e.getMessage(), e);
        }
    }

    private static Realm directory(Ldap ldap, @Nullable Realm realm) throws ServerStartException {
        if (realm != null) {
            throw new IllegalArgumentException(
                    Key.REALM_LDAP_URL.id() + " is set, and the program has a realm of its own");
        }
        try {
            return LdapRealm.of(ldap);
        } catch (TlsSetupException e) {
            throw new ServerStartException(Key.REALM_LDAP_TRUST.id() + ": " + e.getMessage(), e);
        } catch (NoClassDefFoundError e) {
            throw new ServerStartException(Key.REALM_LDAP_URL.id() + " needs the module java.naming", e);
        }
    }
}
