package io.penstock.deploy;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The elements of a descriptor that refer to resources. All of these elements have the same structure (Jakarta EE 5.2.5). */
enum ReferenceKind {
    ENV_ENTRY("env-entry", "env-entry-name", "env-entry-type", "env-entry-value"),
    RESOURCE_REF("resource-ref", "res-ref-name", "res-type", "res-auth", "res-sharing-scope"),
    RESOURCE_ENV_REF("resource-env-ref", "resource-env-ref-name", "resource-env-ref-type"),
    MESSAGE_DESTINATION_REF(
            "message-destination-ref",
            "message-destination-ref-name",
            "message-destination-type",
            "message-destination-usage",
            "message-destination-link"),
    EJB_REF("ejb-ref", "ejb-ref-name", "remote", "ejb-ref-type", "home", "ejb-link", "run-as"),
    EJB_LOCAL_REF("ejb-local-ref", "ejb-ref-name", "local", "ejb-ref-type", "local-home", "ejb-link"),
    SERVICE_REF(
            "service-ref",
            "service-ref-name",
            "service-ref-type",
            "service-interface",
            "wsdl-file",
            "jaxrpc-mapping-file",
            "service-qname",
            "port-component-ref",
            "handler",
            "handler-chains",
            "addressing",
            "display-name",
            "icon",
            "respect-binding"),
    PERSISTENCE_CONTEXT_REF(
            "persistence-context-ref",
            "persistence-context-ref-name",
            null,
            "persistence-unit-name",
            "persistence-context-type",
            "persistence-context-synchronization",
            "persistence-property"),
    PERSISTENCE_UNIT_REF("persistence-unit-ref", "persistence-unit-ref-name", null, "persistence-unit-name");

    private static final Set<String> OF_ALL = Set.of("description", "mapped-name", "injection-target", "lookup-name");

    private final String element;
    private final String nameElement;
    private final @Nullable String typeElement;
    private final Set<String> children;

    ReferenceKind(String element, String nameElement, @Nullable String typeElement, String... others) {
        this.element = element;
        this.nameElement = nameElement;
        this.typeElement = typeElement;
        this.children =
                Stream.concat(Stream.of(others), Stream.of(nameElement)).collect(Collectors.toCollection(HashSet::new));
        if (typeElement != null) {
            children.add(typeElement);
        }
    }

    /** The kind of the element, or null if the element is not a reference. */
    static @Nullable ReferenceKind of(XmlElement element) {
        for (ReferenceKind kind : values()) {
            if (kind.element.equals(element.name())) {
                return kind;
            }
        }
        return null;
    }

    String name(XmlElement reference) throws DeploymentException {
        return reference.requiredText(nameElement);
    }

    @Nullable
    String type(XmlElement reference) throws DeploymentException {
        String type = typeElement == null ? null : reference.optionalText(typeElement);
        return type == null || type.isEmpty() ? null : type;
    }

    /** Rejects children that are not defined for the element. */
    void check(XmlElement reference) throws DeploymentException {
        WebXmlParser.known(
                reference, Stream.concat(children.stream(), OF_ALL.stream()).toArray(String[]::new));
    }
}
