package io.penstock.security;

import io.penstock.realm.PasswordHash;
import io.penstock.realm.Realm;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One line of a file of users: {@code name:secrets:role,role}. Blanks separate the secrets. There can be one password hash, and one Digest
 * secret for each algorithm. A user who logs in with a certificate needs no secret.
 *
 * @param digests the Digest secrets in hexadecimal
 */
record UserLine(String name, @Nullable PasswordHash password, Map<DigestAlgorithm, String> digests, Set<String> roles) {

    UserLine {
        digests = Map.copyOf(digests);
        roles = Set.copyOf(roles);
    }

    /** @throws IllegalArgumentException if the line is malformed; the message names the error and contains no secret */
    static UserLine parse(String line) {
        String[] fields = line.split(":", -1);
        if (fields.length != 3) {
            throw new IllegalArgumentException("not of the form name:secrets:role,role");
        }
        String name = fields[0].strip();
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the user has no name");
        }
        PasswordHash password = null;
        Map<DigestAlgorithm, String> digests = new EnumMap<>(DigestAlgorithm.class);
        for (String secret : fields[1].strip().split("\\s+")) {
            DigestAlgorithm algorithm = digestOf(secret);
            boolean twice;
            if (secret.isEmpty()) {
                continue;
            } else if (algorithm == null) {
                twice = password != null;
                password = PasswordHash.parse(secret);
            } else {
                twice = digests.put(
                                algorithm,
                                hexadecimal(secret.substring(algorithm.prefix().length())))
                        != null;
            }
            if (twice) {
                throw new IllegalArgumentException("two secrets of one kind");
            }
        }
        return new UserLine(name, password, digests, roles(fields[2]));
    }

    private static @Nullable DigestAlgorithm digestOf(String secret) {
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            if (secret.startsWith(algorithm.prefix())) {
                return algorithm;
            }
        }
        return null;
    }

    private static String hexadecimal(String digits) {
        if (!digits.matches("([0-9a-fA-F]{2})+")) {
            throw new IllegalArgumentException("a Digest secret is not hexadecimal");
        }
        return digits.toLowerCase(Locale.ROOT);
    }

    private static Set<String> roles(String list) {
        Set<String> roles = new HashSet<>();
        for (String role : list.split(",", -1)) {
            String stripped = role.strip();
            if (!stripped.isEmpty()) {
                roles.add(stripped);
            }
        }
        return roles;
    }

    Realm.User user() {
        return new Realm.User(name, roles);
    }

    @Override
    public String toString() {
        return name;
    }
}
