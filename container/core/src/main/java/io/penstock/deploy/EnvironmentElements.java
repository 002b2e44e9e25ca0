package io.penstock.deploy;

import static io.penstock.deploy.WebXmlParser.known;

import io.penstock.environment.DataSourceDefinition;
import io.penstock.environment.Declarations;
import io.penstock.environment.Reference;
import io.penstock.environment.ResourceName;
import io.penstock.injection.EntryValue;
import io.penstock.injection.InjectionRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the elements of an application's naming environment (Servlet 15.2.2, Jakarta EE 5). Thread: one thread at a time. */
final class EnvironmentElements {
    private final ClassLoader loader;
    private final List<Declarations.Entry> entries = new ArrayList<>();
    private final List<Reference> references = new ArrayList<>();
    private final List<DataSourceDefinition> dataSources = new ArrayList<>();
    private final List<InjectionRules.Target> targets = new ArrayList<>();
    private final List<InjectionRules.Callback> callbacks = new ArrayList<>();
    private final List<XmlElement> unsupported = new ArrayList<>();
    private final Map<String, XmlElement> names = new HashMap<>();
    private @Nullable String module;

    private EnvironmentElements(ClassLoader loader) {
        this.loader = loader;
    }

    /** @param loader the class loader of the application, for entries that name a class or a constant */
    static DeclaredEnvironment read(List<XmlElement> elements, ClassLoader loader) throws DeploymentException {
        EnvironmentElements reader = new EnvironmentElements(loader);
        for (XmlElement element : elements) {
            reader.read(element);
        }
        return new DeclaredEnvironment(
                reader.module,
                reader.entries,
                reader.references,
                reader.dataSources,
                reader.targets,
                reader.callbacks,
                reader.unsupported);
    }

    private void read(XmlElement element) throws DeploymentException {
        ReferenceKind kind = ReferenceKind.of(element);
        if (kind != null) {
            reference(kind, element);
            return;
        }
        switch (element.name()) {
            case "module-name" -> module = element.nonEmptyText();
            case "data-source" -> dataSource(element);
            case "post-construct" -> callbacks.add(callback(InjectionRules.Phase.POST_CONSTRUCT, element));
            case "pre-destroy" -> callbacks.add(callback(InjectionRules.Phase.PRE_DESTROY, element));
            default -> unsupported.add(element);
        }
    }

    private void reference(ReferenceKind kind, XmlElement element) throws DeploymentException {
        kind.check(element);
        String name = kind.name(element);
        unique(name, element);
        String lookup = element.optionalText("lookup-name");
        if (lookup == null && kind != ReferenceKind.ENV_ENTRY) {
            lookup = mappedName(element);
        }
        XmlElement value = element.optional("env-entry-value");
        if (value != null && lookup != null) {
            throw element.error("has both <env-entry-value> and <lookup-name>");
        }
        Reference reference =
                new Reference(name, kind.type(element), lookup, element.at().toString());
        List<InjectionRules.Target> ofElement = new ArrayList<>();
        for (XmlElement target : element.all("injection-target")) {
            ofElement.add(target(target, reference));
        }
        targets.addAll(ofElement);
        if (value == null) {
            references.add(reference);
        } else {
            entries.add(new Declarations.Entry(
                    name, value(value, type(element, reference.type(), ofElement)), reference.at()));
        }
    }

    /** The class of an entry. This is the declared class or, without a declaration, the type of the first injection target. */
    private Class<?> type(XmlElement entry, @Nullable String declared, List<InjectionRules.Target> targets)
            throws DeploymentException {
        try {
            if (declared != null) {
                return Class.forName(declared, true, loader);
            }
            if (!targets.isEmpty()) {
                InjectionRules.Target target = targets.get(0);
                return EntryValue.boxed(Class.forName(target.className(), false, loader)
                        .getDeclaredField(target.member())
                        .getType());
            }
        } catch (ClassNotFoundException | LinkageError e) {
            throw new DeploymentException(
                    entry.at(), "<env-entry> is of a class that cannot be loaded: " + e.getMessage(), e);
        } catch (NoSuchFieldException e) {
            throw new DeploymentException(entry.at(), "<env-entry> lacks <env-entry-type>", e);
        }
        throw entry.error("lacks <env-entry-type>");
    }

    private Object value(XmlElement value, Class<?> type) throws DeploymentException {
        try {
            return EntryValue.of(value.text(), type, loader);
        } catch (IllegalArgumentException e) {
            throw new DeploymentException(value.at(), "<env-entry-value> " + e.getMessage(), e);
        }
    }

    /** The product-specific name ({@code mapped-name}) of an element, or null. This server uses it like a {@code lookup-name}. */
    private static @Nullable String mappedName(XmlElement element) throws DeploymentException {
        String mapped = element.optionalText("mapped-name");
        return mapped == null || mapped.isEmpty() ? null : mapped;
    }

    private void unique(String name, XmlElement element) throws DeploymentException {
        XmlElement earlier = names.putIfAbsent(ResourceName.full(name), element);
        if (earlier != null) {
            throw element.error(
                    "has the name '" + name + "', which <" + earlier.name() + "> in " + earlier.at() + " already has");
        }
    }

    private static InjectionRules.Target target(XmlElement element, Reference reference) throws DeploymentException {
        known(element, "injection-target-class", "injection-target-name");
        return new InjectionRules.Target(
                element.requiredText("injection-target-class"),
                element.requiredText("injection-target-name"),
                reference);
    }

    private static InjectionRules.Callback callback(InjectionRules.Phase phase, XmlElement element)
            throws DeploymentException {
        known(element, "lifecycle-callback-class", "lifecycle-callback-method");
        return new InjectionRules.Callback(
                phase,
                element.requiredText("lifecycle-callback-class"),
                element.requiredText("lifecycle-callback-method"),
                element.at().toString());
    }

    private void dataSource(XmlElement element) throws DeploymentException {
        known(
                element,
                "description",
                "name",
                "class-name",
                "server-name",
                "port-number",
                "database-name",
                "url",
                "user",
                "password",
                "property",
                "login-timeout",
                "transactional",
                "isolation-level",
                "initial-pool-size",
                "max-pool-size",
                "min-pool-size",
                "max-idle-time",
                "max-statements");
        String name = element.requiredText("name");
        unique(name, element);
        dataSources.add(new DataSourceDefinition(
                name,
                element.optionalText("class-name"),
                element.optionalText("url"),
                element.optionalText("server-name"),
                number(element, "port-number"),
                element.optionalText("database-name"),
                element.optionalText("user"),
                element.optionalText("password"),
                number(element, "login-timeout"),
                properties(element),
                new DataSourceDefinition.Pool(
                        number(element, "min-pool-size"),
                        number(element, "max-pool-size"),
                        number(element, "max-idle-time"),
                        isolation(element.optional("isolation-level"))),
                element.at().toString()));
    }

    private static @Nullable Integer number(XmlElement element, String child) throws DeploymentException {
        XmlElement found = element.optional(child);
        if (found == null) {
            return null;
        }
        int number = found.intText();
        if (number < 0) {
            throw found.error("must not be negative: " + number);
        }
        return number;
    }

    private static Map<String, String> properties(XmlElement element) throws DeploymentException {
        Map<String, String> properties = new LinkedHashMap<>();
        for (XmlElement property : element.all("property")) {
            known(property, "name", "value");
            properties.put(
                    property.requiredText("name"), property.required("value").text());
        }
        return properties;
    }

    private static @Nullable String isolation(@Nullable XmlElement element) throws DeploymentException {
        if (element == null) {
            return null;
        }
        return switch (element.text()) {
            case "TRANSACTION_READ_UNCOMMITTED",
                    "TRANSACTION_READ_COMMITTED",
                    "TRANSACTION_REPEATABLE_READ",
                    "TRANSACTION_SERIALIZABLE" -> element.text();
            default -> throw element.error("is not an isolation level: '" + element.text() + "'");
        };
    }
}
