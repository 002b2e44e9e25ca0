package io.penstock.migrate;

import io.penstock.limits.Key;
import io.penstock.limits.ValueType;
import io.penstock.migrate.Report.Outcome;
import io.penstock.migrate.TomcatTable.Answer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one element. Code reads those that need it, and says what became of them. {@link #rest} treats all others by the table,
 * so that each attribute has its row in the report. Thread: one.
 */
final class Settings {
    static final String AS_ITS_ELEMENT = "as its element";

    private static final Pattern SECRET = Pattern.compile("(?i).*(pass|secret|credential|connectionProperties).*");
    private static final Pattern SECRET_IN_VALUE =
            Pattern.compile("(?i)((?:pass[a-z]*|pwd|[a-z]*secret|[a-z]*token)=)[^&;,\\s]*|(?<=//)[^/@:]*:[^/@]*@");

    private final Migration migration;
    final XmlElement element;
    final String kind;
    private final @Nullable Answer ofElement;
    private final Set<String> told = new HashSet<>();

    /** The values, in which each {@code ${name}} is replaced. */
    private final Map<String, String> values = new HashMap<>();

    /** The attributes in which a {@code ${name}} has no value. */
    private final Set<String> unresolved = new HashSet<>();

    Settings(Migration migration, XmlElement element) {
        this.migration = migration;
        this.element = element;
        kind = TomcatTable.kind(element);
        ofElement = migration.table.element(kind, element.get("className", ""));
        element.attributes().forEach((attribute, written) -> {
            String value = migration.resolve(written);
            if (value == null) {
                unresolved.add(attribute);
            } else {
                values.put(attribute, value);
            }
        });
    }

    /** Whether the code must look at the element: the table neither says that it is not needed nor that it is not possible. */
    boolean isForCode() {
        return ofElement != null && ofElement.sign() == TomcatTable.Sign.CODE;
    }

    /** The value of an attribute; null if the element does not have it. */
    @Nullable
    String value(String attribute) {
        return values.get(attribute);
    }

    String value(String attribute, String otherwise) {
        return values.getOrDefault(attribute, otherwise);
    }

    /** Whether the element has the attribute, but a {@code ${name}} in it has no value. */
    boolean isUnresolved(String attribute) {
        return unresolved.contains(attribute);
    }

    /** The name of a file or folder. Relative names belong to the folder of Tomcat. */
    String file(String name) {
        return migration.base.resolve(name).normalize().toString();
    }

    boolean is(String attribute) {
        return "true".equalsIgnoreCase(values.get(attribute));
    }

    /** Where the element is, for comments and messages. */
    String where() {
        return element.file() + ":" + element.line() + " " + kind;
    }

    /** Reports an attribute of this element. An absent attribute is not reported. */
    void tell(String attribute, Outcome outcome, String text) {
        String written = element.attributes().get(attribute);
        if (written == null || !told.add(attribute)) {
            return;
        }
        // The value of a parameter or entry is as secret as its name says.
        String named = attribute.equals("value") ? value("name", "") : attribute;
        boolean missing = outcome == Outcome.MAPPED && isUnresolved(attribute);
        migration.report.add(new Report.Row(
                element.file(),
                element.line(),
                kind + " " + attribute,
                shown(named, written),
                missing ? Outcome.NOT_POSSIBLE : outcome,
                missing ? migration.missing(written) : text));
    }

    /** The value for the report: without a secret. */
    static String shown(String name, String value) {
        return SECRET.matcher(name).matches()
                ? "…"
                : SECRET_IN_VALUE.matcher(value).replaceAll("$1…");
    }

    /** Reports the element itself, if this has not been done. */
    void tellElement(Outcome outcome, String text) {
        if (told.add(TomcatTable.ITSELF)) {
            migration.report.add(new Report.Row(element.file(), element.line(), kind, "", outcome, text));
        }
    }

    void mapped(String attribute, String text) {
        tell(attribute, Outcome.MAPPED, text);
    }

    void notPossible(String attribute, String text) {
        tell(attribute, Outcome.NOT_POSSIBLE, text);
    }

    void notNeeded(String attribute, String text) {
        tell(attribute, Outcome.NOT_NEEDED, text);
    }

    /** Sets a key to the value, and reports the attribute. */
    void set(String attribute, String key, String value) {
        String problem = migration.files.set(key, value, where());
        boolean secret =
                Key.named(key).filter(known -> known.type() == ValueType.SECRET).isPresent();
        if (problem == null) {
            mapped(attribute, key + " = " + (secret ? "…" : value));
        } else {
            notPossible(attribute, problem);
        }
    }

    /** Sets a key of each application, and reports the attribute. */
    void set(String attribute, List<App> apps, String key, String value) {
        if (apps.isEmpty()) {
            notPossible(
                    attribute,
                    "no application has it; set /context:" + key + " = " + shown(key, value) + " when there is one");
            return;
        }
        String first = apps.get(0).location() + ":" + key;
        String problem = null;
        for (App app : apps) {
            for (String location : app.locations) {
                // A value of the application itself has been set before the values for all applications.
                String id = location + ":" + key;
                problem = migration.files.has(id) ? problem : migration.files.set(id, value, where());
            }
        }
        if (problem == null) {
            mapped(
                    attribute,
                    first + " = " + shown(key, value) + (apps.size() == 1 ? "" : ", and so for each application"));
        } else {
            notPossible(attribute, problem);
        }
    }

    /** Sets the addresses of {@code RemoteAddrValve} or {@code RemoteCIDRValve}: for these applications, or with null for the server. */
    void addresses(@Nullable List<App> apps) {
        boolean regex = kind.equals("Valve:RemoteAddrValve");
        for (String attribute : List.of("allow", "deny")) {
            String key = attribute.equals("allow") ? "allowed-addresses" : "denied-addresses";
            if (isUnresolved(attribute)) {
                notPossible(
                        attribute,
                        everyClient(apps, key)
                                + migration.missing(element.attributes().get(attribute)));
            }
            String value = value(attribute);
            if (value == null || value.isBlank()) {
                continue;
            }
            try {
                String networks = String.join(",", regex ? Values.networksOfPattern(value) : Values.networks(value));
                if (apps == null) {
                    set(attribute, key, networks);
                } else if (apps.stream().noneMatch(app -> hasOther(app, key, networks))) {
                    set(attribute, apps, key, networks);
                } else {
                    // Tomcat obeys both rules.
                    notPossible(
                            attribute,
                            "EVERY CLIENT OF ANOTHER RULE REACHES THE APPLICATION: write into /context:" + key
                                    + (attribute.equals("allow")
                                            ? " only the networks that all rules allow"
                                            : " the networks of all rules"));
                }
            } catch (IllegalArgumentException e) {
                notPossible(attribute, everyClient(apps, key) + e.getMessage());
            }
        }
    }

    private static String everyClient(@Nullable List<App> apps, String key) {
        return "EVERY CLIENT REACHES THE " + (apps == null ? "SERVER" : "APPLICATION") + " until you set "
                + (apps == null ? key : "/context:" + key) + ": ";
    }

    /** Whether the application has another value of the key already. */
    private boolean hasOther(App app, String key, String value) {
        return app.locations.stream()
                .map(location -> migration.files.get(location + ":" + key))
                .anyMatch(former -> former != null && !former.equals(value));
    }

    /** Reports everything that code has not reported, and sets the keys that the table has for it. */
    void rest(List<App> apps) {
        if (ofElement == null) {
            tellElement(Outcome.UNKNOWN, "this version does not know the element");
        } else {
            tellElement(outcome(ofElement), ofElement.text());
        }
        for (String attribute : element.attributes().keySet()) {
            if (!told.contains(attribute)) {
                byTable(attribute, apps);
            }
        }
    }

    /** What became of the element. */
    Outcome outcome() {
        return ofElement == null ? Outcome.UNKNOWN : outcome(ofElement);
    }

    /** Reports the element, and all its attributes that have not been reported. */
    void giveUp(Outcome outcome, String text) {
        tellElement(outcome, text);
        element.attributes().keySet().forEach(attribute -> tell(attribute, outcome, AS_ITS_ELEMENT));
    }

    static Outcome outcome(Answer answer) {
        return switch (answer.sign()) {
            case NOT_NEEDED -> Outcome.NOT_NEEDED;
            case NOT_POSSIBLE -> Outcome.NOT_POSSIBLE;
            default -> Outcome.MAPPED;
        };
    }

    private void byTable(String attribute, List<App> apps) {
        Answer answer = migration.table.attribute(kind, attribute);
        if (answer == null) {
            if (ofElement != null && !isForCode()) {
                tell(attribute, outcome(ofElement), AS_ITS_ELEMENT);
            } else {
                tell(attribute, Outcome.UNKNOWN, "this version does not know it");
            }
            return;
        }
        String value = value(attribute, "");
        boolean isKey = answer.sign() == TomcatTable.Sign.KEY || answer.sign() == TomcatTable.Sign.KEY_OF_APPLICATION;
        if (isKey && isUnresolved(attribute)) {
            String written = element.attributes().get(attribute);
            notPossible(
                    attribute, migration.missing(written) + ": " + answer.text().split(" ")[0]);
        } else if (isKey) {
            convert(attribute, answer, value, apps);
        } else {
            Answer forValue = answer.of(value);
            tell(attribute, outcome(forValue), forValue.text());
        }
    }

    private void convert(String attribute, Answer answer, String value, List<App> apps) {
        String[] keyAndType = answer.text().split(" ");
        String key = keyAndType[0];
        String converted;
        try {
            converted = Values.convert(keyAndType[1], value);
        } catch (IllegalArgumentException e) {
            notPossible(attribute, key + ": " + e.getMessage());
            return;
        }
        if (answer.sign() == TomcatTable.Sign.KEY) {
            set(attribute, key, converted);
        } else {
            set(attribute, apps, key, converted);
        }
    }
}
