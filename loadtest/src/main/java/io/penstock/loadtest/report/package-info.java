/** Forms of a result: tables, JSON, charts, sections of Markdown files, and the machine of the measurement. */
@NullMarked
package io.penstock.loadtest.report;

import org.jspecify.annotations.NullMarked;
