package io.penstock.deploy;

import io.penstock.address.ContextLocation;
import io.penstock.environment.DataSourceDefinition;
import io.penstock.environment.Declarations;
import io.penstock.environment.Environment;
import io.penstock.environment.EnvironmentException;
import io.penstock.environment.EnvironmentProvider;
import io.penstock.environment.Reference;
import io.penstock.environment.ResourceName;
import io.penstock.injection.InjectingFactory;
import io.penstock.injection.InjectionException;
import io.penstock.injection.InjectionRules;
import io.penstock.limits.ApplicationSettings.EnvironmentEntry;
import io.penstock.limits.Key;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The naming environment of one application, and the factory of its objects, which injects resources (Servlet 15.2.2 and 15.5). Thread: the
 * thread that deploys the application.
 *
 * @param names the naming environment for lookups. It is closed when the application stops
 * @param objects the factory that makes servlets, filters, listeners and handlers
 */
public record ApplicationEnvironment(Environment names, InjectingFactory objects) {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationEnvironment.class);

    /**
     * Makes the environment from the declarations of descriptors and annotations.
     *
     * @param application the name of the application, for messages to operators
     * @param configured the operator's entries, which are in the merged descriptor, too
     * @param module the name of the module if the descriptor has no {@code module-name}
     */
    static ApplicationEnvironment open(
            EnvironmentProvider provider,
            MergedDescriptor merged,
            List<EnvironmentEntry> configured,
            ClassLoader loader,
            String application,
            String location,
            String module)
            throws DeploymentException {
        DeclaredEnvironment declared = EnvironmentElements.read(merged.xml().environment(), loader);
        for (XmlElement element : declared.unsupported()) {
            LOG.info(
                    "{}: {}: this server does not support <{}>; nothing is bound",
                    application,
                    element.at(),
                    element.name());
        }
        AnnotationScope scope = merged.scope();
        return open(
                provider,
                new Declarations(
                        application,
                        location,
                        declared.module() == null ? module : declared.module(),
                        loader,
                        declared.entries(),
                        declared.references(),
                        dataSources(declared.dataSources(), merged.dataSources())),
                new InjectionRules(
                        declared.targets(),
                        declared.callbacks(),
                        scope::covers,
                        convertible(declared.entries(), configured)));
    }

    /** The operator's entries that are texts although the operator has not said so, by their full names. */
    private static Map<String, String> convertible(
            List<Declarations.Entry> entries, List<EnvironmentEntry> configured) {
        Map<String, String> texts = new HashMap<>();
        for (EnvironmentEntry entry : configured) {
            String name = ResourceName.full(entry.name());
            boolean isText = entries.stream()
                    .anyMatch(bound -> ResourceName.full(bound.name()).equals(name) && bound.value() instanceof String);
            if (entry.type() == null && isText) {
                texts.put(name, entry.value());
            }
        }
        return texts;
    }

    /** Makes the environment of a context made in code. Such a context declares nothing, but its objects can look up names. */
    static ApplicationEnvironment open(
            EnvironmentProvider provider,
            List<EnvironmentEntry> configured,
            ClassLoader loader,
            String application,
            ContextLocation location)
            throws DeploymentException {
        String module = location.contextPath().isEmpty()
                ? "ROOT"
                : location.contextPath().substring(1);
        WebXml xml = SettingsOverrides.withEntries(WebXml.empty(SourceLocation.file(application)), configured);
        List<Declarations.Entry> entries =
                EnvironmentElements.read(xml.environment(), loader).entries();
        return open(
                provider,
                new Declarations(application, location.name(), module, loader, entries, List.of(), List.of()),
                new InjectionRules(List.of(), List.of(), at -> true, convertible(entries, configured)));
    }

    private static ApplicationEnvironment open(
            EnvironmentProvider provider, Declarations declarations, InjectionRules rules) throws DeploymentException {
        try {
            Environment names = provider.open(declarations);
            return new ApplicationEnvironment(names, new InjectingFactory(names, rules));
        } catch (EnvironmentException e) {
            throw new DeploymentException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Logs each reference to which nothing is bound, so that the operator sees the error when the application starts, and not at the first
     * request that needs the reference.
     */
    void warnOfMissing(String application) {
        names.missing().forEach(reference -> LOG.warn("{}: {}", application, problem(reference)));
    }

    /** Describes a reference to which nothing is bound. */
    public static String problem(Reference reference) {
        String problem = reference.at() + ": nothing is bound to '" + reference.name() + "' ("
                + (reference.type() == null ? "without a type" : reference.type()) + ")";
        return isDataSource(reference)
                ? problem + "; the file of the key " + Key.DATA_SOURCES.id() + " has no data source of this name"
                : problem;
    }

    public static boolean isDataSource(Reference reference) {
        return "javax.sql.DataSource".equals(reference.type());
    }

    /**
     * Merges the data sources of descriptors and annotations. Descriptors have precedence over annotations. Two annotations must not define
     * a data source with the same name.
     */
    private static List<DataSourceDefinition> dataSources(
            List<DataSourceDefinition> described, List<DataSourceDefinition> annotated) throws DeploymentException {
        List<DataSourceDefinition> all = new ArrayList<>(described);
        for (DataSourceDefinition definition : annotated) {
            DataSourceDefinition known = find(all, definition.name());
            if (known == null) {
                all.add(definition);
            } else if (!described.contains(known)) {
                throw new DeploymentException(definition.at() + ": the data source '" + definition.name()
                        + "' is defined by " + known.at() + ", too; web.xml must define it");
            }
        }
        return all;
    }

    private static @Nullable DataSourceDefinition find(List<DataSourceDefinition> definitions, String name) {
        return definitions.stream()
                .filter(known -> ResourceName.full(known.name()).equals(ResourceName.full(name)))
                .findFirst()
                .orElse(null);
    }

    /**
     * Reads the injection targets of the declared classes, before the first object is made. So the first object can already look up the
     * names in these targets.
     */
    void prepare(WebXml xml, ClassLoader loader) throws DeploymentException {
        for (WebXml.ListenerDeclaration listener : xml.listeners()) {
            prepare(listener.className(), loader, listener.at());
        }
        for (WebXml.FilterDeclaration filter : xml.filters()) {
            prepare(filter.className(), loader, filter.at());
        }
        for (WebXml.ServletDeclaration servlet : xml.servlets()) {
            prepare(servlet.className(), loader, servlet.at());
        }
    }

    private void prepare(@Nullable String className, ClassLoader loader, SourceLocation at) throws DeploymentException {
        if (className == null) {
            return;
        }
        try {
            objects.prepare(Class.forName(className, false, loader));
        } catch (InjectionException e) {
            throw new DeploymentException(at, String.valueOf(e.getMessage()), e);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new DeploymentException(at, "class " + className + " cannot be loaded: " + e, e);
        }
    }
}
