package io.penstock.migrate;

import io.penstock.migrate.Report.Outcome;
import io.penstock.realm.PasswordHash;
import io.penstock.realm.Passwords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Maps realms, and the users of {@code tomcat-users.xml}. Thread: one. */
final class Realms {
    private static final String USERS_XML = "conf/tomcat-users.xml";
    private static final List<String> NONE = List.of();

    private final Migration migration;
    private final ContextXml contexts;

    Realms(Migration migration, ContextXml contexts) {
        this.migration = migration;
        this.contexts = contexts;
    }

    void read(XmlElement element) {
        read(element, null);
    }

    /** @param outer the algorithm of the outer realm's hashes; null if its passwords are no hashes, and empty if the algorithm is not known */
    private void read(XmlElement element, @Nullable String outer) {
        Settings settings = new Settings(migration, element);
        if (!settings.isForCode()) {
            migration.leaf(element, List.of());
            return;
        }
        String algorithm = algorithm(settings, outer);
        switch (settings.kind) {
            case "Realm:UserDatabaseRealm", "Realm:MemoryRealm" -> users(settings, algorithm);
            case "Realm:DataSourceRealm", "Realm:JDBCRealm" -> database(settings, algorithm);
            default -> {}
        }
        settings.rest(List.of());
        for (XmlElement child : element.children()) {
            if (child.name().equals("Realm")) {
                read(child, algorithm);
            } else {
                migration.leaf(child, List.of());
            }
        }
    }

    /** The algorithm of the realm's hashes, as {@link io.penstock.realm.PasswordHash} reads it in braces. */
    private static @Nullable String algorithm(Settings settings, @Nullable String outer) {
        String digest = settings.value("digest");
        if (digest != null) {
            settings.mapped("digest", "{" + digest + "} before each hash");
            return digest;
        }
        List<XmlElement> handlers = settings.element.all("CredentialHandler");
        if (handlers.isEmpty()) {
            return outer;
        }
        XmlElement handler = handlers.get(0);
        return switch (TomcatTable.kind(handler)) {
            // Without an algorithm, Tomcat compares the passwords themselves.
            case "CredentialHandler:MessageDigestCredentialHandler" ->
                handler.attributes().get("algorithm");
            case "CredentialHandler:SecretKeyCredentialHandler" -> handler.get("algorithm", "PBKDF2WithHmacSHA1");
            default -> "";
        };
    }

    private void users(Settings settings, @Nullable String algorithm) {
        PenstockFiles files = migration.files;
        if (files.has("realm-data-source")) {
            settings.tellElement(Outcome.NOT_POSSIBLE, "there is one realm, and another one has been mapped");
            return;
        }
        String name = settings.value("pathname", USERS_XML);
        if (settings.kind.equals("Realm:UserDatabaseRealm")) {
            name = contexts.userDatabases.getOrDefault(settings.value("resourceName", "UserDatabase"), USERS_XML);
        }
        Path file = migration.path(name);
        if (file == null || !Files.isRegularFile(file)) {
            settings.tellElement(Outcome.NOT_POSSIBLE, "no such file: " + name);
            return;
        }
        if (!files.users.isEmpty()) {
            settings.tellElement(Outcome.NOT_NEEDED, "the users are in the realm-file already");
            return;
        }
        files.users.add("# name : secrets : roles; from " + file);
        try {
            users(migration.read(file), algorithm);
            settings.tellElement(
                    Outcome.MAPPED,
                    "realm-file = " + files.file(PenstockFiles.USERS)
                            + "; for DIGEST logins make the lines anew by --hash-password NAME --digest-realm REALM");
        } catch (IOException e) {
            settings.tellElement(Outcome.NOT_POSSIBLE, name + " cannot be read: " + e.getMessage());
        }
    }

    private void users(XmlElement root, @Nullable String algorithm) {
        Map<String, List<String>> groups = new HashMap<>();
        for (XmlElement group : root.all("group")) {
            groups.put(group.get("groupname", group.get("name", "")), list(group.get("roles", "")));
        }
        new Settings(migration, root).rest(List.of());
        for (XmlElement element : root.children()) {
            Settings settings = new Settings(migration, element);
            if (settings.kind.equals("user")) {
                user(settings, groups, algorithm);
            }
            settings.rest(List.of());
            element.children().forEach(child -> migration.leaf(child, List.of()));
        }
    }

    private void user(Settings settings, Map<String, List<String>> groups, @Nullable String algorithm) {
        String name = settings.value("username", settings.value("name", ""));
        if (name.isBlank() || !name.equals(name.strip()) || name.contains(":") || name.startsWith("#")) {
            settings.giveUp(
                    Outcome.NOT_POSSIBLE,
                    "a user's name has no colon, no number sign before it, and no blank at its ends");
            return;
        }
        Set<String> roles = new LinkedHashSet<>(list(settings.value("roles", "")));
        list(settings.value("groups", "")).forEach(group -> roles.addAll(groups.getOrDefault(group, NONE)));
        String secret = "";
        String password = settings.value("password", "");
        try {
            if (algorithm == null) {
                secret = Passwords.hash(password);
                settings.mapped("password", "its hash (PBKDF2)");
            } else {
                PasswordHash hash =
                        PasswordHash.parse(algorithm.isEmpty() ? password : "{" + algorithm + "}" + password);
                secret = hash.text();
                settings.mapped("password", "the same hash: " + hash);
            }
        } catch (IllegalArgumentException e) {
            settings.notPossible("password", e.getMessage() + "; make a new line by --hash-password " + name);
        }
        migration.files.users.add(
                (secret.isEmpty() ? "# " : "") + name + ":" + secret + ":" + String.join(", ", roles));
    }

    private static List<String> list(String names) {
        return List.of(names.strip().split("\\s*,\\s*"));
    }

    private void database(Settings settings, @Nullable String algorithm) {
        PenstockFiles files = migration.files;
        if (!files.users.isEmpty()) {
            settings.giveUp(
                    Outcome.NOT_POSSIBLE, "there is one realm, and the users of the realm-file have been mapped");
            return;
        }
        String source = source(settings);
        if (source == null) {
            settings.giveUp(Outcome.NOT_POSSIBLE, "GlobalNamingResources has no such data source that can be bound");
            return;
        }
        settings.set("dataSourceName", "realm-data-source", source);
        files.set("realm-data-source", source, settings.where());
        String name = settings.value("userNameCol", "user_name");
        String column = settings.value("userCredCol", "user_pass");
        boolean named = algorithm != null && !algorithm.isEmpty();
        String password = "select " + (named ? "concat('{" + algorithm + "}', " + column + ")" : column) + " from "
                + settings.value("userTable", "users") + " where " + name + " = ?"
                + (named ? " and " + column + " is not null" : "");
        String roles = "select " + settings.value("roleNameCol", "role_name") + " from "
                + settings.value("userRoleTable", "user_roles") + " where " + name + " = ?";
        files.set("realm-password-query", password, settings.where());
        files.set("realm-roles-query", roles, settings.where());
        if (named) {
            settings.mapped(
                    "userCredCol",
                    "realm-password-query adds {" + algorithm + "}, so that the server reads Tomcat's hashes");
        } else {
            settings.notPossible(
                    "userCredCol",
                    "realm-password-query is set, but the column must have hashes: as --hash-password makes them, or Tomcat's"
                            + " with their algorithm in braces before them");
        }
        settings.tellElement(Outcome.MAPPED, "realm-data-source = " + source);
    }

    private @Nullable String source(Settings settings) {
        String name = settings.value("dataSourceName");
        if (name != null) {
            return contexts.globalDataSources.get(name);
        }
        String url = settings.value("connectionURL");
        if (url == null) {
            return null;
        }
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("url", url);
        String driver = settings.value("driverName");
        if (driver != null) {
            keys.put("class", driver);
        }
        String user = settings.value("connectionName");
        if (user != null) {
            keys.put("user", user);
        }
        String password = settings.value("connectionPassword");
        if (password != null) {
            keys.put("password", password);
        }
        return migration.files.dataSource("jdbc/users", keys);
    }
}
