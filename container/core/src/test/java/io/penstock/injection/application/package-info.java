/** What an application might bring. */
package io.penstock.injection.application;
