package io.penstock.session;

import io.penstock.part.AttributeFormat;
import java.io.ObjectInputFilter;
import java.util.HashSet;
import java.util.Set;

/**
 * The classes whose objects may be made from the bytes of a session attribute: the application's own classes, and classes of the Java
 * platform for plain data. All other classes are refused before any of their methods has run.
 *
 * <p>Thread: any; immutable.
 */
final class TrustedTypes implements ObjectInputFilter, AttributeFormat.Types {
    private static final int MAX_DEPTH = 1000;
    private static final long MAX_ARRAY_LENGTH = 64L << 20;

    /** Packages in which all serializable classes are plain data. */
    private static final Set<String> PACKAGES = Set.of("java.time", "java.time.chrono", "java.time.zone");

    private static final Set<String> PLATFORM = Set.of(
            "java.lang.Boolean",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Double",
            "java.lang.Enum",
            "java.lang.Float",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Number",
            "java.lang.Object",
            "java.lang.Short",
            "java.lang.String",
            "java.lang.StringBuilder",
            "java.lang.StringBuffer",
            "java.lang.String$CaseInsensitiveComparator",
            "java.lang.Throwable",
            "java.lang.Exception",
            "java.lang.RuntimeException",
            "java.lang.IllegalArgumentException",
            "java.lang.IllegalStateException",
            "java.lang.StackTraceElement",
            "java.math.BigDecimal",
            "java.math.BigInteger",
            "java.math.MathContext",
            "java.math.RoundingMode",
            "java.net.URI",
            "java.sql.Date",
            "java.sql.Time",
            "java.sql.Timestamp",
            "java.util.AbstractList",
            "java.util.AbstractMap",
            "java.util.AbstractSet",
            "java.util.ArrayDeque",
            "java.util.ArrayList",
            "java.util.Arrays$ArrayList",
            "java.util.BitSet",
            "java.util.CollSer",
            "java.util.Collections$CopiesList",
            "java.util.Collections$EmptyList",
            "java.util.Collections$EmptyMap",
            "java.util.Collections$EmptySet",
            "java.util.Collections$ReverseComparator",
            "java.util.Collections$SetFromMap",
            "java.util.Collections$SingletonList",
            "java.util.Collections$SingletonMap",
            "java.util.Collections$SingletonSet",
            "java.util.Collections$SynchronizedCollection",
            "java.util.Collections$SynchronizedList",
            "java.util.Collections$SynchronizedMap",
            "java.util.Collections$SynchronizedRandomAccessList",
            "java.util.Collections$SynchronizedSet",
            "java.util.Collections$UnmodifiableCollection",
            "java.util.Collections$UnmodifiableList",
            "java.util.Collections$UnmodifiableMap",
            "java.util.Collections$UnmodifiableRandomAccessList",
            "java.util.Collections$UnmodifiableSet",
            "java.util.Collections$UnmodifiableSortedMap",
            "java.util.Collections$UnmodifiableSortedSet",
            "java.util.Currency",
            "java.util.Date",
            "java.util.EnumMap",
            "java.util.EnumSet",
            "java.util.EnumSet$SerializationProxy",
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.Hashtable",
            "java.util.ImmutableCollections$List12",
            "java.util.ImmutableCollections$ListN",
            "java.util.ImmutableCollections$Map1",
            "java.util.ImmutableCollections$MapN",
            "java.util.ImmutableCollections$Set12",
            "java.util.ImmutableCollections$SetN",
            "java.util.JumboEnumSet",
            "java.util.LinkedHashMap",
            "java.util.LinkedHashSet",
            "java.util.LinkedList",
            "java.util.Locale",
            "java.util.Map$Entry",
            "java.util.Properties",
            "java.util.RegularEnumSet",
            "java.util.Stack",
            "java.util.TreeMap",
            "java.util.TreeSet",
            "java.util.UUID",
            "java.util.Vector",
            "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.ConcurrentHashMap$Segment",
            "java.util.concurrent.ConcurrentLinkedDeque",
            "java.util.concurrent.ConcurrentLinkedQueue",
            "java.util.concurrent.ConcurrentSkipListMap",
            "java.util.concurrent.ConcurrentSkipListSet",
            "java.util.concurrent.CopyOnWriteArrayList",
            "java.util.concurrent.CopyOnWriteArraySet",
            "java.util.concurrent.TimeUnit",
            "java.util.concurrent.atomic.AtomicBoolean",
            "java.util.concurrent.atomic.AtomicInteger",
            "java.util.concurrent.atomic.AtomicLong",
            "java.util.concurrent.atomic.AtomicReference",
            "java.util.concurrent.locks.AbstractOwnableSynchronizer",
            "java.util.concurrent.locks.AbstractQueuedSynchronizer",
            "java.util.concurrent.locks.ReentrantLock",
            "java.util.concurrent.locks.ReentrantLock$NonfairSync",
            "java.util.concurrent.locks.ReentrantLock$Sync");

    private final ClassLoader loader;
    private final Set<ClassLoader> ofApplication;

    TrustedTypes(ClassLoader loader) {
        this.loader = loader;
        this.ofApplication = ofApplication(loader);
    }

    /**
     * The class loaders of the application's classes. If the server's class loader is an ancestor of {@code loader}, the embedding program is
     * the application. Its own classes can have a child of the class loader of its libraries and of the server, as with Boot's devtools. The
     * class loader of an archive does not have this ancestor.
     */
    private static Set<ClassLoader> ofApplication(ClassLoader loader) {
        Set<ClassLoader> found = new HashSet<>();
        for (ClassLoader each = loader; each != null; each = each.getParent()) {
            found.add(each);
            if (each == TrustedTypes.class.getClassLoader()) {
                return Set.copyOf(found);
            }
        }
        return Set.of(loader);
    }

    @Override
    public Status checkInput(FilterInfo info) {
        if (info.depth() > MAX_DEPTH || info.arrayLength() > MAX_ARRAY_LENGTH) {
            return Status.REJECTED;
        }
        Class<?> type = info.serialClass();
        if (type == null) {
            return Status.UNDECIDED;
        }
        return isTrusted(type) ? Status.ALLOWED : Status.REJECTED;
    }

    @Override
    public ClassLoader loader() {
        return loader;
    }

    @Override
    public Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name, false, loader);
    }

    @Override
    public boolean isTrusted(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element.isPrimitive() || isOfApplication(element) || isPlainData(element);
    }

    private boolean isOfApplication(Class<?> type) {
        ClassLoader from = type.getClassLoader();
        return from != null && ofApplication.contains(from);
    }

    private static boolean isPlainData(Class<?> type) {
        ClassLoader from = type.getClassLoader();
        return (from == null || from == ClassLoader.getPlatformClassLoader())
                && (PLATFORM.contains(type.getName()) || PACKAGES.contains(type.getPackageName()));
    }
}
