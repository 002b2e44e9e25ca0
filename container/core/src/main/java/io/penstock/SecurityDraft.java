package io.penstock;

import io.penstock.context.SecuritySettings;
import io.penstock.context.SecuritySettings.Constraint;
import io.penstock.context.SecuritySettings.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the security settings of a {@link Context}. Thread: the thread that builds the context. */
final class SecurityDraft {
    private final List<Constraint> constraints = new ArrayList<>();
    private SecuritySettings.@Nullable Login login;

    void constrain(String pattern, Set<String> roles) {
        SecuritySettings.Collection resources =
                new SecuritySettings.Collection(pattern, Set.of(pattern), Set.of(), Set.of());
        constraints.add(new Constraint(List.of(resources), roles, Transport.NONE));
    }

    void login(String method, @Nullable String realm, @Nullable String loginPage, @Nullable String errorPage) {
        login = new SecuritySettings.Login(method, realm, loginPage, errorPage);
    }

    SecuritySettings settings() {
        return new SecuritySettings(constraints, login, Set.of(), false);
    }
}
