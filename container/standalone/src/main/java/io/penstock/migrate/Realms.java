package io.penstock.migrate;

import io.penstock.migrate.Report.Outcome;
import io.penstock.realm.PasswordHash;
import io.penstock.realm.Passwords;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maps realms, and the users of {@code tomcat-users.xml}. Thread: one. */
final class Realms {
    private static final String USERS_XML = "conf/tomcat-users.xml";
    private static final List<String> NONE = List.of();
    private static final String ANOTHER = "there is one realm, and another one has been mapped";

    /** A URL of a directory: its scheme, its host and port, and the DN of its root. */
    private static final Pattern DIRECTORY = Pattern.compile("(?i)(ldaps?)://([^/?]+)(?:/([^?]*).*)?");

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
            case "Realm:JNDIRealm" -> directory(settings);
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
        if (files.has("realm-data-source") || files.has("realm-ldap-url")) {
            settings.tellElement(Outcome.NOT_POSSIBLE, ANOTHER);
            return;
        }
        String name = settings.value("pathname", USERS_XML);
        if (settings.kind.equals("Realm:UserDatabaseRealm")) {
            name = contexts.userDatabases.getOrDefault(settings.value("resourceName", "UserDatabase"), USERS_XML);
        }
        if (name.isEmpty()) {
            settings.tellElement(
                    Outcome.NOT_POSSIBLE,
                    "a database has the users: set realm-data-source, realm-password-query and realm-roles-query, as"
                            + " docs/guide/logins.md says");
            return;
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
        if (settings.isUnresolved("username") || settings.isUnresolved("name")) {
            settings.giveUp(
                    Outcome.NOT_POSSIBLE,
                    "a ${name} in the user's name has no value; make the line by --hash-password NAME");
            return;
        }
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
            if (settings.isUnresolved("password")) {
                throw new IllegalArgumentException("a ${name} in the password has no value");
            } else if (settings.value("password") == null) {
                settings.tellElement(Outcome.NOT_NEEDED, "without a password, the user cannot log in");
            } else if (algorithm == null) {
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
        if (files.has("realm-ldap-url")) {
            settings.giveUp(Outcome.NOT_POSSIBLE, ANOTHER);
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

    private void directory(Settings settings) {
        PenstockFiles files = migration.files;
        if (!files.users.isEmpty() || files.has("realm-data-source") || files.has("realm-ldap-url")) {
            settings.giveUp(Outcome.NOT_POSSIBLE, ANOTHER);
            return;
        }
        List<String> urls = new ArrayList<>();
        String root = "";
        for (String attribute : List.of("connectionURL", "alternateURL")) {
            String value = settings.value(attribute);
            Matcher url = DIRECTORY.matcher(value == null ? "" : value.strip());
            if (url.matches()) {
                boolean tls = url.group(1).equalsIgnoreCase("ldaps") || "ssl".equals(settings.value("protocol"));
                urls.add((tls ? "ldaps" : "ldap") + "://" + url.group(2));
                root = root.isEmpty() && url.group(3) != null ? decoded(url.group(3)) : root;
            } else if (value != null) {
                settings.notPossible(
                        attribute, "must be like ldaps://ldap.example.org:636; write it into realm-ldap-url");
            }
        }
        if (urls.isEmpty()) {
            settings.giveUp(Outcome.NOT_POSSIBLE, "it has no connectionURL");
            return;
        }
        String all = String.join(",", urls);
        settings.set("connectionURL", "realm-ldap-url", all);
        settings.mapped("alternateURL", "realm-ldap-url = " + all);
        settings.mapped("protocol", "realm-ldap-url = " + all);
        files.set("realm-ldap-url", all, settings.where());
        if (settings.value("connectionName") != null && settings.value("connectionPassword") != null) {
            settings.set("connectionName", "realm-ldap-user", settings.value("connectionName", ""));
            settings.set("connectionPassword", "realm-ldap-password", settings.value("connectionPassword", ""));
        }
        usersOfDirectory(settings, root);
        groupsOfDirectory(settings, root);
        settings.tellElement(Outcome.MAPPED, "realm-ldap-url = " + all);
    }

    private static String decoded(String rawPath) {
        try {
            return URI.create("/" + rawPath).getPath().substring(1);
        } catch (IllegalArgumentException notEncoded) {
            return rawPath;
        }
    }

    private void usersOfDirectory(Settings settings, String root) {
        String pattern = settings.value("userPattern");
        String search = settings.value("userSearch");
        if (pattern != null) {
            settings.set("userPattern", "realm-ldap-user-pattern", patterns(unquoted(pattern)));
            for (String attribute : List.of("userBase", "userSearch", "userSubtree")) {
                settings.notNeeded(attribute, "userPattern has the users");
            }
            return;
        }
        if (search == null) {
            settings.tellElement(
                    Outcome.NOT_POSSIBLE,
                    "it has neither a userPattern nor a userSearch; set realm-ldap-user-pattern or realm-ldap-user-base");
            return;
        }
        search(settings, "user", search, root);
    }

    private void groupsOfDirectory(Settings settings, String root) {
        String search = settings.value("roleSearch");
        if (search == null || settings.value("roleName") == null) {
            for (String attribute : List.of("roleBase", "roleName", "roleSearch", "roleSubtree")) {
                settings.notNeeded(attribute, "groups need a roleSearch and a roleName");
            }
        } else if (search.contains("{2}")) {
            settings.notPossible(
                    "roleSearch", "{2}, an attribute of the user, cannot be part of realm-ldap-role-filter");
        } else {
            search(settings, "role", search, root);
        }
    }

    /** Maps a search for users or for groups. Without {@code userSubtree} or {@code roleSubtree}, it is not deep. */
    private void search(Settings settings, String what, String filter, String root) {
        String base = settings.value(what + "Base", "");
        String whole = base.isEmpty() || root.isEmpty() ? base + root : base + "," + root;
        String key = "realm-ldap-" + what;
        if (whole.isEmpty() || whole.contains("{")) {
            String problem = "write the DN, under which the search begins, into " + key + "-base";
            settings.notPossible(what + "Base", problem);
            settings.notPossible(what + "Search", problem);
            return;
        }
        String text = unquoted(filter.strip());
        migration.files.set(key + "-base", whole, settings.where());
        settings.set(what + "Base", key + "-base", whole);
        settings.set(what + "Search", key + "-filter", text.startsWith("(") ? text : "(" + text + ")");
        String subtree = settings.is(what + "Subtree") ? "on" : "off";
        migration.files.set(key + "-subtree", subtree, settings.where());
        settings.set(what + "Subtree", key + "-subtree", subtree);
    }

    /** Patterns that are in parentheses, such as <code>(uid={0},ou=a)(uid={0},ou=b)</code>, with semicolons between them. */
    private static String patterns(String text) {
        String stripped = text.strip();
        if (!stripped.startsWith("(")) {
            return stripped;
        }
        Matcher one = Pattern.compile("\\(([^()|]+)\\)").matcher(stripped);
        return one.results().map(found -> found.group(1).strip()).collect(Collectors.joining(";"));
    }

    /** Text of a {@link java.text.MessageFormat}, without the second one of two apostrophes. */
    private static String unquoted(String format) {
        return format.replace("''", "'");
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
        settings.mapped("driverName", contexts.driver(keys, settings.value("driverName")));
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
