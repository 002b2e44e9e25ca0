package io.penstock.deploy;

import io.penstock.environment.DataSourceDefinition;
import io.penstock.environment.Declarations;
import io.penstock.environment.Reference;
import io.penstock.injection.InjectionRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The environment elements of a descriptor.
 *
 * @param module the {@code module-name}, or null
 * @param unsupported the elements that this server accepts without an effect, because it does not support them
 */
record DeclaredEnvironment(
        @Nullable String module,
        List<Declarations.Entry> entries,
        List<Reference> references,
        List<DataSourceDefinition> dataSources,
        List<InjectionRules.Target> targets,
        List<InjectionRules.Callback> callbacks,
        List<XmlElement> unsupported) {

    DeclaredEnvironment {
        entries = List.copyOf(entries);
        references = List.copyOf(references);
        dataSources = List.copyOf(dataSources);
        targets = List.copyOf(targets);
        callbacks = List.copyOf(callbacks);
        unsupported = List.copyOf(unsupported);
    }
}
