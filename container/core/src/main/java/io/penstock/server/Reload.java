package io.penstock.server;

import io.penstock.certificates.ServerCertificates;
import io.penstock.certificates.TlsSetupException;
import io.penstock.limits.Configuration;
import io.penstock.limits.ConfigurationException;
import io.penstock.limits.HelpPage;
import io.penstock.limits.Key;
import io.penstock.limits.ServerConfig;
import io.penstock.rules.ErrorDocuments;
import io.penstock.rules.ResponseRules;
import io.penstock.security.FileRealm;
import java.io.IOException;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Reads again all settings and files that can change while a server runs. All settings and files are read and checked first, and are used
 * after that. So nothing changes if a setting or a file is wrong.
 *
 * <p>Thread: one thread at a time. The thread can wait for a disk.
 */
final class Reload {
    private static final Logger LOG = ServerLog.logger();

    /**
     * The keys whose values can change while the server runs. The keys of the log have an effect in {@code penstock.jar}, and no effect in
     * embedding programs.
     */
    private static final Set<Key> KEYS = EnumSet.of(
            Key.RESPONSE_RULES,
            Key.ERROR_PAGES,
            Key.ALLOWED_ADDRESSES,
            Key.DENIED_ADDRESSES,
            Key.REQUEST_RATE,
            Key.REQUEST_BURST,
            Key.REQUEST_RATE_KEPT,
            Key.MAX_CONNECTIONS_ADDRESS,
            Key.LOG_LEVEL,
            Key.LOG_FORMAT);

    private final Assembly parts;

    Reload(Assembly parts) {
        this.parts = parts;
    }

    /**
     * Uses the changed settings and files.
     *
     * @param wanted all settings, with their new values
     * @return the names of the changed settings that need a restart. The server continues to use their former values
     * @throws RefusedReloadException if a setting or a file is wrong. The message names the error. Nothing has changed in this case
     */
    List<String> run(Configuration wanted) throws RefusedReloadException {
        Configuration before = parts.configuration();
        Configuration next = before.with(KEYS, wanted);
        ServerConfig config;
        ResponseRules rules;
        ErrorDocuments errors;
        FileRealm.@Nullable Renewal users;
        ServerCertificates.@Nullable Renewal certificates;
        try {
            config = ServerConfig.of(next);
            rules = ConfiguredRules.of(next);
            errors = ConfiguredRules.errors(next);
            users = parts.realm() instanceof FileRealm realm ? realm.readAgain() : null;
            certificates =
                    parts.certificates() == null ? null : parts.certificates().readAgain();
        } catch (ServerStartException | TlsSetupException | ConfigurationException e) {
            throw refused(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw refused(Key.REALM_FILE.id() + ": " + e.getMessage(), e);
        }
        Set<String> changed = new LinkedHashSet<>(before.differences(next));
        if (!Objects.equals(rules, parts.transport().responseRules())) {
            // The name of the file can be the same while its content is new. This is reported as a change of the key,
            // too.
            changed.add(Key.RESPONSE_RULES.id());
        }
        if (!Objects.equals(errors, parts.transport().errorDocuments())) {
            changed.add(Key.ERROR_PAGES.id());
        }
        parts.transport().replaceRules(config.addresses(), rules, errors);
        if (users != null) {
            changed.addAll(users.isChange() ? List.of("users") : List.of());
            users.apply();
        }
        if (certificates != null) {
            changed.addAll(certificates.isChange() ? List.of("certificates") : List.of());
            certificates.apply();
        }
        parts.configuration(next);
        LOG.info("Reloaded. Changed settings: {}", changed.isEmpty() ? "none" : String.join(", ", changed));
        List<String> kept = next.differences(wanted);
        if (!kept.isEmpty()) {
            LOG.warn("Changed settings that need a restart: {}{}", String.join(", ", kept), HelpPage.RESTART.more());
        }
        return kept;
    }

    private static RefusedReloadException refused(String why, Exception cause) {
        LOG.error("Not reloaded; nothing has changed: {}", why);
        return new RefusedReloadException(why, cause);
    }
}
